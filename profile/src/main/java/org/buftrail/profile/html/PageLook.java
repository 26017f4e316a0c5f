package org.buftrail.profile.html;

/** How a page of profiles looks when it is opened. Immutable. */
public final class PageLook {
  /** With the service's name as title, all frames, and nothing searched. */
  public static final PageLook PLAIN = new PageLook("", "", 0);

  private final String title;
  private final String search;
  private final double leastShare;
  private final SourceLinks source;

  /**
   * @param title empty for the service's name
   * @param search what is searched first, as text or as a regular expression; empty for nothing
   * @param leastShare the part of a profile, from 0 to 1, that a frame has at least in one of them;
   *     others count for their callers
   */
  public PageLook(String title, String search, double leastShare) {
    this(title, search, leastShare, SourceLinks.NONE);
  }

  private PageLook(String title, String search, double leastShare, SourceLinks source) {
    this.title = title;
    this.search = search;
    this.leastShare = leastShare;
    this.source = source;
  }

  /** Returns a copy with links to the source of the user's own methods. */
  public PageLook source(SourceLinks links) {
    return new PageLook(title, search, leastShare, links);
  }

  /** Where the source of the user's own methods is. */
  public SourceLinks source() {
    return source;
  }

  /** Whether it is as any page, but for its links to sources. */
  public boolean isPlain() {
    return title.isEmpty() && search.isEmpty() && leastShare == 0;
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
