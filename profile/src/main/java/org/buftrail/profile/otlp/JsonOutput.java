package org.buftrail.profile.otlp;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes JSON in UTF-8, on one line or indented by two spaces. */
final class JsonOutput {
  private static final int BUFFER = 1 << 15;
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private final OutputStream target;
  private final boolean pretty;
  private final byte[] buffer = new byte[BUFFER];
  private int position;
  private int depth;
  // Whether what is written next is the first of its object or list.
  private boolean first = true;
  private boolean afterName;
  private boolean inline;

  JsonOutput(OutputStream target, boolean pretty) {
    this.target = target;
    this.pretty = pretty;
  }

  private void put(int c) throws IOException {
    if (position == BUFFER) {
      flush();
    }
    buffer[position++] = (byte) c;
  }

  private void put(String ascii) throws IOException {
    for (int i = 0; i < ascii.length(); i++) {
      put(ascii.charAt(i));
    }
  }

  /** Hands what was written to the target. */
  void flush() throws IOException {
    target.write(buffer, 0, position);
    position = 0;
  }

  /** Ends the document. */
  void end() throws IOException {
    if (pretty) {
      put('\n');
    }
    flush();
    target.flush();
  }

  private void separate() throws IOException {
    if (afterName) {
      afterName = false;
      return;
    }
    if (!first) {
      put(',');
      if (inline && pretty) {
        put(' ');
      }
    }
    if (depth > 0 && !inline) {
      newLine();
    }
    first = false;
  }

  private void newLine() throws IOException {
    if (pretty) {
      put('\n');
      for (int i = 0; i < depth; i++) {
        put(' ');
        put(' ');
      }
    }
  }

  void beginObject() throws IOException {
    begin('{');
  }

  void endObject() throws IOException {
    close('}');
  }

  /**
   * Begins a list.
   *
   * @param onOneLine whether its elements are not put on lines of their own
   */
  void beginList(boolean onOneLine) throws IOException {
    begin('[');
    inline = onOneLine;
  }

  void endList() throws IOException {
    close(']');
  }

  private void begin(char bracket) throws IOException {
    separate();
    put(bracket);
    depth++;
    first = true;
  }

  private void close(char bracket) throws IOException {
    depth--;
    if (!first && !inline) {
      newLine();
    }
    inline = false;
    put(bracket);
    first = false;
  }

  void name(String ascii) throws IOException {
    separate();
    put('"');
    put(ascii);
    put('"');
    put(':');
    if (pretty) {
      put(' ');
    }
    afterName = true;
  }

  /** A number or a truth value. */
  void literal(String ascii) throws IOException {
    separate();
    put(ascii);
  }

  /** Text that needs no escapes. */
  void plainText(String ascii) throws IOException {
    separate();
    put('"');
    put(ascii);
    put('"');
  }

  /** Text in UTF-8. */
  void text(byte[] utf8) throws IOException {
    beginText();
    for (byte b : utf8) {
      if (b == '"' || b == '\\') {
        put('\\');
        put(b);
      } else if (b >= 0 && b < 0x20) {
        put("\\u00");
        put(HEX[b >> 4]);
        put(HEX[b & 15]);
      } else {
        put(b);
      }
    }
    endText();
  }

  void hex(byte[] bytes) throws IOException {
    beginText();
    for (byte b : bytes) {
      put(HEX[(b >> 4) & 15]);
      put(HEX[b & 15]);
    }
    endText();
  }

  /** Begins a text whose characters come in parts by {@link #part}. */
  void beginText() throws IOException {
    separate();
    put('"');
  }

  /** A part of a text that needs no escapes. */
  void part(byte[] ascii) throws IOException {
    for (byte b : ascii) {
      put(b);
    }
  }

  void endText() throws IOException {
    put('"');
  }
}
