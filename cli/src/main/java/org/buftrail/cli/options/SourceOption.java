package org.buftrail.cli.options;

import org.buftrail.console.output.WrongUsage;
import org.buftrail.profile.html.SourceLinks;
import org.buftrail.profile.output.ProfileFormat;

/** Where the source of the user's own methods is, for links on a page. */
public final class SourceOption {
  private static final String NAME = "--source";

  private final TextOption template =
      new TextOption(
          NAME,
          "URL",
          "Link your own methods on a page to their source, such as"
              + " https://git.example/main/{path}#L{line} or"
              + " idea://open?file=/src/{path}&line={line}.");

  public SourceOption() {}

  public CommandOption option() {
    return template;
  }

  /**
   * The links.
   *
   * @param as the format of the output
   * @throws WrongUsage if the address is none, or the output is no page
   */
  public SourceLinks links(ProfileFormat as) {
    String given = template.value();
    if (given == null) {
      return SourceLinks.NONE;
    }
    if (as != ProfileFormat.HTML && as != ProfileFormat.HEATMAP) {
      throw new WrongUsage(NAME + " is for pages, not for " + as);
    }
    try {
      return SourceLinks.parse(given);
    } catch (IllegalArgumentException e) {
      throw new WrongUsage(NAME + ": " + e.getMessage());
    }
  }
}
