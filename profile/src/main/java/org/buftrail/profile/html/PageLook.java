package org.buftrail.profile.html;

/** How a page of profiles looks when it is opened. Immutable. */
public final class PageLook {
  /** With the service's name as title, all frames, and nothing searched. */
  public static final PageLook PLAIN = new PageLook("", "", 0);

  private final String title;
  private final String search;
  private final double leastShare;

  /**
   * @param title empty for the service's name
   * @param search what is searched first, as text or as a regular expression; empty for nothing
   * @param leastShare the part of a profile, from 0 to 1, that a frame has at least in one of them;
   *     others count for their callers
   */
  public PageLook(String title, String search, double leastShare) {
    this.title = title;
    this.search = search;
    this.leastShare = leastShare;
  }

  /** The title; empty for the name of the service. */
  public String title() {
    return title;
  }

  /** The first search; empty for none. */
  public String search() {
    return search;
  }

  /** The part of a profile that a frame has at least in one of them, from 0 to 1. */
  public double leastShare() {
    return leastShare;
  }
}
