package org.buftrail.profile.html;

import java.io.IOException;
import java.util.regex.Pattern;
import org.buftrail.profile.json.JsonOut;

/**
 * Where the source of a method is: an address with {@code {path}} for {@code com/example/Main.java}
 * and, if the place wants it, {@code {line}}. Immutable.
 */
public final class SourceLinks {
  /** No links. */
  public static final SourceLinks NONE = new SourceLinks("");

  private static final String PATH = "{path}";
  private static final String LINE = "{line}";

  private final String template;

  private SourceLinks(String template) {
    this.template = template;
  }

  /**
   * Reads an address.
   *
   * @throws IllegalArgumentException if it is none, or of another scheme; the message says why
   */
  public static SourceLinks parse(String template) {
    String rest = template.replace(PATH, "").replace(LINE, "");
    if (!template.contains(PATH)) {
      throw new IllegalArgumentException("\"" + template + "\" has no {path}");
    }
    if (rest.indexOf('{') >= 0 || rest.indexOf('}') >= 0) {
      throw new IllegalArgumentException(
          "\"" + template + "\" has braces beside those of {path} and {line}");
    }
    if (!Address.ALLOWED.matcher(template).matches()) {
      throw new IllegalArgumentException(
          "\""
              + template
              + "\" is no address that begins with http://, https://, idea:// or vscode://");
    }
    int host = template.indexOf("://") + 3;
    int slash = template.indexOf('/', host);
    if (slash < 0 ? template.startsWith("http") : template.lastIndexOf('{', slash) >= 0) {
      throw new IllegalArgumentException("\"" + template + "\" has no host before {path}");
    }
    return new SourceLinks(template);
  }

  /** Apart, so that a conversion without links makes no pattern. */
  private static final class Address {
    /** Nothing that could run, and nothing that an address has to escape. */
    static final Pattern ALLOWED =
        Pattern.compile("(https?|idea|vscode)://[\\w.~:/?#@!$&()*+,;=%{}\\[\\]-]+");
  }

  /** The address; empty for none. */
  public String template() {
    return template;
  }

  /**
   * Writes the address as a member of what a page shows, if there is one.
   *
   * @throws IOException when {@code json} does
   */
  public void write(JsonOut json) throws IOException {
    if (!template.isEmpty()) {
      json.name("source").value(template);
    }
  }
}
