package io.firstcome.domain.coupon;

/** The id of a campaign: a slug such as {@code SPRING2026}, 2 to 40 of {@code A-Z 0-9 -}. */
public record CampaignId(String value) implements Comparable<CampaignId> {

  public CampaignId {
    Slug.require("campaignId", value);
  }

  @Override
  public int compareTo(CampaignId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
