package org.buftrail.profile.otlp;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.buftrail.profile.protobuf.MalformedMessageException;

/** Reads the tokens of a JSON document, trusting nothing. Errors name line and column. */
final class JsonInput {
  private static final int BUFFER = 1 << 15;
  private static final int DEEPEST = 64;
  private static final int LONGEST_NUMBER = 64;

  private final InputStream source;
  private final byte[] buffer = new byte[BUFFER];
  private int next;
  private int end;
  private long line = 1;
  private long lineStart;
  private long before;
  private byte[] text = new byte[256];
  private int length;

  JsonInput(InputStream source) {
    this.source = source;
  }

  private boolean fill() throws IOException {
    before += end;
    next = 0;
    end = Math.max(0, source.read(buffer, 0, BUFFER));
    return end > 0;
  }

  MalformedMessageException error(String message) {
    long column = before + next - lineStart + 1;
    return new MalformedMessageException(
        "JSON line " + line + ", column " + column + ": " + message);
  }

  /** The next character that is not white space, not consumed; -1 at the end. */
  int peek() throws IOException {
    while (next < end || fill()) {
      byte b = buffer[next];
      if (b == '\n') {
        line++;
        lineStart = before + next + 1;
      } else if (b != ' ' && b != '\t' && b != '\r') {
        return b & 0xFF;
      }
      next++;
    }
    return -1;
  }

  private int read() throws IOException {
    if (next == end && !fill()) {
      throw error("the document is cut off");
    }
    return buffer[next++];
  }

  /** Consumes a character that must come next, after white space. */
  void expect(char wanted) throws IOException {
    int found = peek();
    if (found != wanted) {
      throw error("expected " + wanted + " and found " + named(found));
    }
    next++;
  }

  private static String named(int c) {
    if (c < 0) {
      return "the end";
    }
    if (c >= 0x7F) {
      return "a character that is not ASCII";
    }
    return c < 0x20 ? "a control character" : String.valueOf((char) c);
  }

  /** Consumes a character if it comes next, after white space. */
  boolean consume(char wanted) throws IOException {
    if (peek() != wanted) {
      return false;
    }
    next++;
    return true;
  }

  /** Checks that nothing but white space is left. */
  void expectEnd() throws IOException {
    int found = peek();
    if (found != -1) {
      throw error("expected the end and found " + named(found));
    }
  }

  private void append(int b) {
    if (length == text.length) {
      text = Arrays.copyOf(text, Math.addExact(length, length));
    }
    text[length++] = (byte) b;
  }

  /** A string, in UTF-8 as it stands in the document. */
  byte[] readText() throws IOException {
    expect('"');
    length = 0;
    for (int b = read(); b != '"'; b = read()) {
      if (b == '\\') {
        readEscape();
      } else if (b >= 0 && b < 0x20) {
        throw error("a control character in a string");
      } else {
        append(b);
      }
    }
    return Arrays.copyOf(text, length);
  }

  /** A string as text; bytes that are not valid UTF-8 are replaced. */
  String readString() throws IOException {
    return new String(readText(), StandardCharsets.UTF_8);
  }

  private void readEscape() throws IOException {
    int b = read();
    switch (b) {
      case '"':
      case '\\':
      case '/':
        append(b);
        break;
      case 'b':
        append('\b');
        break;
      case 'f':
        append('\f');
        break;
      case 'n':
        append('\n');
        break;
      case 'r':
        append('\r');
        break;
      case 't':
        append('\t');
        break;
      case 'u':
        readUnicode();
        break;
      default:
        throw error("an unknown escape in a string");
    }
  }

  private void readUnicode() throws IOException {
    char high = (char) readHex4();
    if (!Character.isHighSurrogate(high)) {
      append(String.valueOf(high));
      return;
    }
    if (peekRaw() != '\\') {
      append("?");
      return;
    }
    next++;
    if (peekRaw() != 'u') {
      append("?");
      readEscape();
      return;
    }
    next++;
    // A high surrogate without its low one becomes a question mark, and what follows stays.
    append(new String(new char[] {high, (char) readHex4()}));
  }

  private void append(String characters) {
    for (byte b : characters.getBytes(StandardCharsets.UTF_8)) {
      append(b);
    }
  }

  private int peekRaw() throws IOException {
    return next < end || fill() ? buffer[next] & 0xFF : -1;
  }

  private int readHex4() throws IOException {
    int value = 0;
    for (int i = 0; i < 4; i++) {
      int digit = Character.digit(read(), 16);
      if (digit < 0) {
        throw error("an escape in a string lacks its four hexadecimal digits");
      }
      value = value * 16 + digit;
    }
    return value;
  }

  /** A number, a truth value or null, as it stands in the document. */
  String readLiteral() throws IOException {
    peek();
    length = 0;
    for (int b = peekRaw(); isLiteral(b); b = peekRaw()) {
      append(b);
      next++;
      if (length > LONGEST_NUMBER) {
        throw error("a number has more than " + LONGEST_NUMBER + " characters");
      }
    }
    if (length == 0) {
      throw error("expected a value and found " + named(peekRaw()));
    }
    return new String(text, 0, length, StandardCharsets.US_ASCII);
  }

  private static boolean isLiteral(int b) {
    return (b >= '0' && b <= '9')
        || (b >= 'a' && b <= 'z')
        || (b >= 'A' && b <= 'Z')
        || b == '-'
        || b == '+'
        || b == '.';
  }

  /** Passes over a value of any type. */
  void skipValue() throws IOException {
    skipValue(0);
  }

  private void skipValue(int depth) throws IOException {
    if (depth > DEEPEST) {
      throw error("values are nested more than " + DEEPEST + " deep");
    }
    switch (peek()) {
      case '"':
        readText();
        break;
      case '{':
        next++;
        for (boolean more = !consume('}'); more; more = hasMore('}')) {
          readText();
          expect(':');
          skipValue(depth + 1);
        }
        break;
      case '[':
        next++;
        for (boolean more = !consume(']'); more; more = hasMore(']')) {
          skipValue(depth + 1);
        }
        break;
      default:
        readLiteral();
        break;
    }
  }

  /** Consumes a comma, or the bracket that ends the list or object. Says whether it goes on. */
  boolean hasMore(char bracket) throws IOException {
    if (consume(',')) {
      return true;
    }
    expect(bracket);
    return false;
  }
}
