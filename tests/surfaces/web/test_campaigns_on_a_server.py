"""Campaigns of a PostgreSQL server on the page: named by their address, without its password."""

from steelyard.journey.campaigns.campaign import Campaign
from steelyard.surfaces.web.served import ServedCampaigns


def test_a_campaign_of_a_server_is_served_by_its_address(server, here, ask):
    where = server.database()
    made = Campaign.create(where, "radar", systems=["cnn", "svm"], stop="n >= 3")
    address = where.replace("postgres@", "postgres:secret@") + "?application_name=a%3Db"
    here.app_state.campaigns = ServedCampaigns.of([f"radar={address}"])
    found = ask("campaigns", campaign="radar")
    assert "no item counts yet" in found["html"]
    assert "secret" not in str(found)
    assert "postgresql+psycopg://postgres:***@" in found["command"]
    records = [
        {"item": n, "system": s, "right": s == "cnn"}
        for n in range(3)
        for s in made.protocol.systems
    ]
    made.report(records)
    assert "Stop without a decision" in ask("campaigns", campaign="radar")["html"]
    here.app_state.campaigns.find("radar").campaign.ledger.close()
    made.ledger.close()
