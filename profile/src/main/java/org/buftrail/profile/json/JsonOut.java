package org.buftrail.profile.json;

import java.io.IOException;
import org.buftrail.profile.text.Printable;

/**
 * Writes JSON, member by member, straight to an {@link Appendable}: compact, or indented by two
 * spaces.
 *
 * <p>Keeps the commas; the caller keeps the nesting right. Not thread-safe.
 */
public final class JsonOut {
  private static final String HEX = "0123456789abcdef";

  private final Appendable out;
  private final boolean pretty;
  // Whether what is written next is the first of its object or array, or follows a name.
  private boolean first = true;
  private boolean named;
  private boolean onOneLine;
  private int depth;

  /** Writes compact JSON to {@code out}, which stays open. */
  public JsonOut(Appendable out) {
    this(out, false);
  }

  /**
   * Writes to {@code out}, which stays open.
   *
   * @param pretty whether to indent; otherwise all is on one line
   */
  public JsonOut(Appendable out, boolean pretty) {
    this.out = out;
    this.pretty = pretty;
  }

  /** Opens an object. */
  public JsonOut beginObject() throws IOException {
    return open('{');
  }

  /** Closes an object. */
  public JsonOut endObject() throws IOException {
    return close('}');
  }

  /** Opens an array. */
  public JsonOut beginArray() throws IOException {
    return open('[');
  }

  /** Opens an array whose elements are not put on lines of their own; it holds no other. */
  public JsonOut beginRow() throws IOException {
    open('[');
    onOneLine = true;
    return this;
  }

  /** Closes an array. */
  public JsonOut endArray() throws IOException {
    return close(']');
  }

  /** The name of the next member. */
  public JsonOut name(String name) throws IOException {
    comma();
    quote(name);
    out.append(pretty ? ": " : ":");
    named = true;
    return this;
  }

  /** A text. */
  public JsonOut value(String value) throws IOException {
    comma();
    quote(value);
    return this;
  }

  /** An array of texts. */
  public JsonOut texts(Iterable<String> values) throws IOException {
    beginArray();
    for (String each : values) {
      value(each);
    }
    return endArray();
  }

  /** A whole number. */
  public JsonOut value(long value) throws IOException {
    comma();
    out.append(Long.toString(value));
    return this;
  }

  /** A number as text says it, which is JSON already. */
  public JsonOut number(String text) throws IOException {
    comma();
    out.append(text);
    return this;
  }

  /** Begins a text that comes in parts. */
  public JsonOut beginText() throws IOException {
    comma();
    out.append('"');
    return this;
  }

  /** A part of a text that needs no escapes. */
  public JsonOut part(String plain) throws IOException {
    out.append(plain);
    return this;
  }

  /** Ends a text that came in parts. */
  public JsonOut endText() throws IOException {
    out.append('"');
    return this;
  }

  /** A truth value. */
  public JsonOut value(boolean value) throws IOException {
    comma();
    out.append(value ? "true" : "false");
    return this;
  }

  /** Starts the next array element on a line of its own, so that big files can be read and cut. */
  public JsonOut newLine() throws IOException {
    if (!first) {
      out.append(',');
      first = true;
    }
    out.append('\n');
    return this;
  }

  private JsonOut open(char bracket) throws IOException {
    comma();
    out.append(bracket);
    first = true;
    depth++;
    return this;
  }

  private JsonOut close(char bracket) throws IOException {
    depth--;
    if (!first) {
      indent();
    }
    onOneLine = false;
    out.append(bracket);
    first = false;
    return this;
  }

  private void comma() throws IOException {
    if (named) {
      named = false;
      return;
    }
    if (!first) {
      out.append(pretty && onOneLine ? ", " : ",");
    }
    if (depth > 0) {
      indent();
    }
    first = false;
  }

  private void indent() throws IOException {
    if (pretty && !onOneLine) {
      out.append('\n').append("  ".repeat(depth));
    }
  }

  private void quote(String s) throws IOException {
    out.append('"');
    int done = 0;
    for (int i = 0; i < s.length(); i++) {
      char c = s.charAt(i);
      if (isPlain(s, i, c)) {
        continue;
      }
      out.append(s, done, i);
      done = i + 1;
      escape(c);
    }
    out.append(s, done, s.length()).append('"');
  }

  /**
   * Lone surrogates are escaped: they have no UTF-8 form, so a file could not hold them. So is what
   * controls a terminal, where a file may be looked at.
   */
  private static boolean isPlain(String s, int i, char c) {
    if (c < ' ' || c == '"' || c == '\\') {
      return false;
    }
    if (c < 0x7F) {
      return true;
    }
    if (Character.isHighSurrogate(c)) {
      return i + 1 < s.length() && Character.isLowSurrogate(s.charAt(i + 1));
    }
    if (Character.isLowSurrogate(c)) {
      return i > 0 && Character.isHighSurrogate(s.charAt(i - 1));
    }
    return !Printable.isControl(c);
  }

  private void escape(char c) throws IOException {
    out.append('\\');
    switch (c) {
      case '"':
      case '\\':
        out.append(c);
        break;
      case '\n':
        out.append('n');
        break;
      case '\r':
        out.append('r');
        break;
      case '\t':
        out.append('t');
        break;
      default:
        out.append('u');
        for (int shift = 12; shift >= 0; shift -= 4) {
          out.append(HEX.charAt(c >> shift & 0xF));
        }
    }
  }
}
