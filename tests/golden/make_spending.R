# Made tests/golden/spending.json: Rscript make_spending.R > spending.txt, copied by hand.
# R 4.2.2, rpact 3.3.4 (Debian bookworm, r-cran-rpact).
suppressMessages(library(rpact))
bounds <- function(fractions, alpha, kind, sides) {
  design <- getDesignGroupSequential(informationRates = fractions, alpha = alpha, sided = sides,
                                     typeOfDesign = kind, tolerance = 1e-10)
  cat(kind, sides, alpha, "|", fractions, "|", sprintf("%.9f", design$criticalValues), "\n")
}
bounds(c(.3, .7, 1), .025, "asOF", 1)
bounds(c(.3, .7, 1), .025, "asP", 1)
bounds(c(.25, .5, .75, 1), .05, "asOF", 2)
bounds(c(.25, .5, .75, 1), .05, "asP", 2)
bounds(c(.1, .2, .5, .9, 1), .01, "asP", 1)
