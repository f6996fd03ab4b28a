"""A page for each question, and the frame around them."""
