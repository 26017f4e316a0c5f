package org.buftrail.cli.options;

import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.buftrail.console.output.WrongUsage;
import org.buftrail.profile.html.PageLook;
import org.buftrail.profile.html.SourceLinks;
import org.buftrail.profile.output.ProfileFormat;

/** Options of pages alone. */
public final class PageOptions {
  private static final double PERCENT = 100;

  private final TextOption title =
      new TextOption("--title", "TEXT", "The title of a page. Default: the service's name.");

  private final NumberOption leastPercent =
      new NumberOption(
          "--minwidth",
          "PERCENT",
          "Leave frames out of a page that are narrower than this part of each profile; they count"
              + " for their callers.");

  private final RegexOption highlight =
      new RegexOption("--highlight", "Search for this when a page is opened.");

  private final SourceOption source = new SourceOption();

  private final Flag inverted =
      new Flag(
          "-i --inverted",
          "The root of a page's flame graph above, where it is anyway: for users of jfrconv.");

  public PageOptions() {}

  public void addTo(List<CommandOption> options) {
    options.addAll(List.of(title, leastPercent, highlight, source.option(), inverted));
  }

  /**
   * How a page looks.
   *
   * @param as the format of the output
   * @throws WrongUsage if options say how, and the output is no page
   */
  public PageLook look(ProfileFormat as) {
    Pattern searched = highlight.value();
    double least = leastPercent.value();
    SourceLinks links = source.links(as);
    if (title.value() == null && least == 0 && searched == null) {
      return links == SourceLinks.NONE ? PageLook.PLAIN : PageLook.PLAIN.source(links);
    }
    if (as != ProfileFormat.HTML && as != ProfileFormat.HEATMAP) {
      throw new WrongUsage("--title, --minwidth and --highlight are for pages, not for " + as);
    }
    if (!(least >= 0 && least <= PERCENT)) {
      throw new WrongUsage("--minwidth " + least + " is not from 0 to 100 percent");
    }
    String search = searched == null ? "" : searched.pattern();
    return new PageLook(Objects.requireNonNullElse(title.value(), ""), search, least / PERCENT)
        .source(links);
  }
}
