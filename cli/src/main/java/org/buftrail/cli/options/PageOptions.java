package org.buftrail.cli.options;

import java.util.regex.Pattern;
import org.buftrail.cli.output.WrongUsage;
import org.buftrail.profile.html.PageLook;
import org.buftrail.profile.output.ProfileFormat;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of pages alone. */
public final class PageOptions {
  private static final double PERCENT = 100;

  @Option(
      names = "--title",
      paramLabel = "TEXT",
      description = "The title of a page. Default: the service's name.")
  private @Nullable String title;

  @Option(
      names = "--minwidth",
      paramLabel = "PERCENT",
      description =
          "Leave frames out of a page that are narrower than this part of each profile; they count"
              + " for their callers.")
  private double leastPercent;

  @Option(
      names = "--highlight",
      paramLabel = "REGEX",
      description = "What a page searches for when it is opened.")
  private @Nullable Pattern highlight;

  @Option(
      names = {"-i", "--inverted"},
      description =
          "The root of a page's flame graph above, where it is anyway: for users of jfrconv.")
  @SuppressWarnings("UnusedVariable")
  private boolean inverted;

  public PageOptions() {}

  /**
   * How a page looks.
   *
   * @param as the format of the output
   * @throws WrongUsage if options say how, and the output is no page
   */
  public PageLook look(ProfileFormat as) {
    if (title == null && leastPercent == 0 && highlight == null) {
      return PageLook.PLAIN;
    }
    if (as != ProfileFormat.HTML && as != ProfileFormat.HEATMAP) {
      throw new WrongUsage("--title, --minwidth and --highlight are for pages, not for " + as);
    }
    if (!(leastPercent >= 0 && leastPercent <= PERCENT)) {
      throw new WrongUsage("--minwidth " + leastPercent + " is not from 0 to 100 percent");
    }
    String search = highlight == null ? "" : highlight.pattern();
    return new PageLook(title == null ? "" : title, search, leastPercent / PERCENT);
  }
}
