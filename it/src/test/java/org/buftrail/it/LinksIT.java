package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Links between README and documents lead to files and headings that are there. */
final class LinksIT {
  private static final Pattern BLOCK = Pattern.compile("(?s)```.*?```");
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s#]*)(?:#([^)\\s]+))?\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

  @Test
  void leadSomewhere() throws IOException {
    List<String> wrong = new ArrayList<>();
    int links = 0;
    for (Path document : ShellLines.documents()) {
      String text = BLOCK.matcher(Files.readString(document)).replaceAll("");
      for (MatchResult link : LINK.matcher(text).results().toList()) {
        links++;
        if (!link.group(1).contains("://") && !exists(document, link)) {
          wrong.add(document + ": " + link.group());
        }
      }
    }
    assertThat(links).isGreaterThan(50);
    assertThat(wrong).isEmpty();
  }

  private static boolean exists(Path document, MatchResult link) throws IOException {
    Path target = link.group(1).isEmpty() ? document : document.resolveSibling(link.group(1));
    if (!Files.exists(target)) {
      return false;
    }
    return link.group(2) == null || anchors(target).contains(link.group(2));
  }

  /** As forges make them of headings. */
  private static Set<String> anchors(Path document) throws IOException {
    Set<String> anchors = new TreeSet<>();
    for (MatchResult heading : HEADING.matcher(Files.readString(document)).results().toList()) {
      anchors.add(
          heading.group(1).toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "").replace(' ', '-'));
    }
    return anchors;
  }
}
