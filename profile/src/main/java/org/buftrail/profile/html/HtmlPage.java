package org.buftrail.profile.html;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The page that shows flows and profiles: one file, no request to anywhere, built from {@code
 * web/}.
 *
 * <p>The page carries its model as JSON in a {@code <script type="application/json">}. There {@code
 * <} is written as {@code \}{@code u003c}, so no name in a snapshot can end the element or open a
 * comment; the page itself only ever inserts names as text, under a content security policy that
 * allows nothing but its own script and style.
 */
public final class HtmlPage {
  private static final String RESOURCE = "page.html";
  private static final String MARKER = "@@MODEL@@";

  /** Kept once it was read: the jar may be replaced while the JVM runs. */
  private static volatile @Nullable String template;

  private HtmlPage() {}

  /** Writes the JSON that the page shows. */
  @FunctionalInterface
  public interface Model {
    /**
     * @param json takes the text of one JSON value
     * @throws IOException when {@code json} does
     */
    void write(Appendable json) throws IOException;
  }

  /**
   * Writes the page with a model in it.
   *
   * @throws IOException when {@code out} does
   */
  public static void write(Model model, Appendable out) throws IOException {
    String template = template();
    int marker = template.indexOf(MARKER);
    out.append(template, 0, marker);
    model.write(new ScriptText(out));
    out.append(template, marker + MARKER.length(), template.length());
  }

  private static String template() throws IOException {
    String read = template;
    if (read == null) {
      read = read();
      template = read;
    }
    return read;
  }

  private static String read() throws IOException {
    try (InputStream in = HtmlPage.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IOException("the page is missing from the jar: " + RESOURCE);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** JSON made fit for a script element. */
  private static final class ScriptText implements Appendable {
    private final Appendable out;

    ScriptText(Appendable out) {
      this.out = out;
    }

    @Override
    public Appendable append(CharSequence text) throws IOException {
      return append(text, 0, text.length());
    }

    @Override
    public Appendable append(CharSequence text, int start, int end) throws IOException {
      int done = start;
      for (int i = start; i < end; i++) {
        if (text.charAt(i) == '<') {
          out.append(text, done, i).append("\\u003c");
          done = i + 1;
        }
      }
      out.append(text, done, end);
      return this;
    }

    @Override
    public Appendable append(char c) throws IOException {
      if (c == '<') {
        out.append("\\u003c");
      } else {
        out.append(c);
      }
      return this;
    }
  }
}
