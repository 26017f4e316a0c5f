package org.buftrail.profile.json;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Strict pull reader of JSON (RFC 8259) from text that nobody vouches for.
 *
 * <p>Nesting, string length and total length are bounded, so the memory taken is bounded by what
 * the caller keeps. Every fault is a {@link JsonException} with its position. Not thread-safe.
 */
public final class JsonIn {
  private static final int LONGEST_NUMBER = 1 << 10;

  private static final int END = -1;

  private final Reader in;
  private final long maxChars;
  private final int maxString;
  private final char[] buffer = new char[1 << 13];
  private final StringBuilder text = new StringBuilder();
  private final RecentStrings recent = new RecentStrings();
  private final boolean[] first;
  private int position;
  private int limit;
  private long charsBefore;
  private long lineStart;
  private int line = 1;
  private int depth;

  /**
   * @param in not closed; one that reports what is not in its character set
   * @param maxChars the longest text that is read, in UTF-16 units
   * @param maxString the longest string in it, in UTF-16 units
   * @param maxDepth how deep objects and arrays may be nested
   */
  public JsonIn(Reader in, long maxChars, int maxString, int maxDepth) {
    this.in = in;
    this.maxChars = maxChars;
    this.maxString = maxString;
    this.first = new boolean[maxDepth];
  }

  /** Opens an object. */
  public void beginObject() throws IOException {
    open('{', "an object");
  }

  /** Opens an array. */
  public void beginArray() throws IOException {
    open('[', "an array");
  }

  /** The next member's name, or null after consuming the object's end. */
  public @Nullable String nextName() throws IOException {
    if (!next('}')) {
      return null;
    }
    if (peekToken() != '"') {
      throw expected("a member name in double quotes");
    }
    String name = string();
    if (peekToken() != ':') {
      throw expected("':' after the name \"" + shortened(name) + "\"");
    }
    take();
    return name;
  }

  /** Whether an array has one more element; false after consuming the array's end. */
  public boolean nextElement() throws IOException {
    return next(']');
  }

  /** An element of an array. */
  public interface Element<T> {
    T read(JsonIn in) throws IOException;
  }

  /** The elements of an array. */
  public <T> List<T> list(Element<T> element) throws IOException {
    List<T> elements = new ArrayList<>();
    beginArray();
    while (nextElement()) {
      elements.add(element.read(this));
    }
    return elements;
  }

  public String string() throws IOException {
    if (peekToken() != '"') {
      throw expected("a string");
    }
    take();
    String plain = plainString();
    return plain != null ? plain : anyString();
  }

  /** A string that stands in the buffer as it is, as most do; null, and nothing read, otherwise. */
  private @Nullable String plainString() {
    int longest = Math.min(limit, position + Math.min(maxString, RecentStrings.LONGEST) + 1);
    int hash = 0;
    for (int i = position; i < longest; i++) {
      char c = buffer[i];
      if (c == '"') {
        String read = recent.of(buffer, position, i, hash);
        position = i + 1;
        return read;
      }
      if (c < ' ' || c == '\\') {
        return null;
      }
      hash = 31 * hash + c;
    }
    return null;
  }

  private String anyString() throws IOException {
    text.setLength(0);
    int c;
    while ((c = peek()) != '"') {
      if (c < ' ') {
        throw expected("the closing '\"' of a string");
      }
      take();
      text.append(c == '\\' ? escaped() : (char) c);
      if (text.length() > maxString) {
        throw fault("a string is longer than " + maxString + " characters");
      }
    }
    take();
    return text.toString();
  }

  /** A whole number from {@code min} to {@code max}, written without fraction or exponent. */
  public long wholeNumber(long min, long max) throws IOException {
    int c = peekToken();
    if (c != '-' && !isDigit(c)) {
      throw expected(wholeNumbers(min, max));
    }
    String number = number();
    long value;
    try {
      value = Long.parseLong(number);
    } catch (NumberFormatException e) {
      throw fault("expected " + wholeNumbers(min, max) + ", found " + shortened(number));
    }
    if (value < min || value > max) {
      throw fault("expected " + wholeNumbers(min, max) + ", found " + value);
    }
    return value;
  }

  private static String wholeNumbers(long min, long max) {
    return "a whole number from " + min + " to " + max;
  }

  /** A time as ISO 8601 has it, to the millisecond. */
  public Instant time() throws IOException {
    String text = string();
    try {
      Instant instant = Instant.parse(text);
      // Years past 292 million parse, but have no milliseconds.
      return Instant.ofEpochMilli(instant.toEpochMilli());
    } catch (DateTimeException | ArithmeticException e) {
      throw fault(
          "expected a time such as 2026-01-31T12:00:00Z, found \"" + shortened(text) + "\"");
    }
  }

  /** A number as it is written, or what a string holds in place of one. */
  public String numberOrString() throws IOException {
    int c = peekToken();
    if (c == '"') {
      return string();
    }
    if (c != '-' && !isDigit(c)) {
      throw expected("a number");
    }
    return number();
  }

  /** Takes a null if one comes next; answers whether it did. */
  public boolean takeNull() throws IOException {
    if (peekToken() != 'n') {
      return false;
    }
    word("null");
    return true;
  }

  /** A truth value. */
  public boolean bool() throws IOException {
    int c = peekToken();
    if (c != 't' && c != 'f') {
      throw expected("true or false");
    }
    word(c == 't' ? "true" : "false");
    return c == 't';
  }

  /** Reads one value of any kind and forgets it. */
  public void skip() throws IOException {
    int c = peekToken();
    switch (c) {
      case '{':
        beginObject();
        while (nextName() != null) {
          skip();
        }
        break;
      case '[':
        beginArray();
        while (nextElement()) {
          skip();
        }
        break;
      case '"':
        string();
        break;
      case 't':
      case 'f':
        bool();
        break;
      case 'n':
        word("null");
        break;
      default:
        if (c != '-' && !isDigit(c)) {
          throw expected("a value");
        }
        number();
    }
  }

  /** Nothing but white space may follow. */
  public void end() throws IOException {
    if (peekToken() != END) {
      throw expected("the end of the text");
    }
  }

  /** A fault at the place reached so far. */
  public JsonException fault(String problem) {
    long column = charsBefore + position - lineStart + 1;
    return new JsonException(line, (int) Math.min(column, Integer.MAX_VALUE), problem);
  }

  private JsonException expected(String what) throws IOException {
    int c = peek();
    String found =
        c == END
            ? "the end of the text"
            : c > ' ' && c < 0x7F ? "'" + (char) c + "'" : String.format("U+%04X", c);
    return fault("expected " + what + ", found " + found);
  }

  /** A text that is short enough for a message. */
  public static String shortened(String s) {
    return s.length() <= 40 ? s : s.substring(0, 40) + "...";
  }

  private void open(char bracket, String what) throws IOException {
    if (peekToken() != bracket) {
      throw expected(what);
    }
    if (depth == first.length) {
      throw fault("nested deeper than " + first.length);
    }
    take();
    first[depth++] = true;
  }

  private boolean next(char close) throws IOException {
    int c = peekToken();
    if (c == close) {
      take();
      depth--;
      return false;
    }
    if (first[depth - 1]) {
      first[depth - 1] = false;
      return true;
    }
    if (c != ',') {
      throw expected("',' or '" + close + "'");
    }
    take();
    return true;
  }

  private char escaped() throws IOException {
    int c = peek();
    int plain = "\"\\/bfnrt".indexOf(c);
    if (plain >= 0) {
      take();
      return "\"\\/\b\f\n\r\t".charAt(plain);
    }
    if (c != 'u') {
      throw expected("an escape such as \\n or \\u0041");
    }
    take();
    int value = 0;
    for (int i = 0; i < 4; i++) {
      int digit = peek() < 0x80 ? Character.digit(peek(), 16) : -1;
      if (digit < 0) {
        throw expected("four hexadecimal digits");
      }
      take();
      value = value << 4 | digit;
    }
    return (char) value;
  }

  private String number() throws IOException {
    text.setLength(0);
    if (peek() == '-') {
      keep();
    }
    if (peek() == '0') {
      keep();
    } else {
      digits();
    }
    if (peek() == '.') {
      keep();
      digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      keep();
      if (peek() == '+' || peek() == '-') {
        keep();
      }
      digits();
    }
    return text.toString();
  }

  private void digits() throws IOException {
    if (!isDigit(peek())) {
      throw expected("a digit");
    }
    while (isDigit(peek())) {
      keep();
    }
  }

  private void keep() throws IOException {
    if (text.length() == LONGEST_NUMBER) {
      throw fault("a number is longer than " + LONGEST_NUMBER + " digits");
    }
    text.append((char) peek());
    take();
  }

  private void word(String word) throws IOException {
    for (int i = 0; i < word.length(); i++) {
      if (peek() != word.charAt(i)) {
        throw expected(word);
      }
      take();
    }
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private int peekToken() throws IOException {
    int c;
    while ((c = peek()) == ' ' || c == '\n' || c == '\r' || c == '\t') {
      take();
      if (c == '\n') {
        line++;
        lineStart = charsBefore + position;
      }
    }
    return c;
  }

  private int peek() throws IOException {
    return position < limit || fill() ? buffer[position] : END;
  }

  private void take() {
    position++;
  }

  private boolean fill() throws IOException {
    charsBefore += limit;
    position = 0;
    limit = 0;
    if (charsBefore > maxChars) {
      throw fault("the text is longer than " + maxChars + " characters");
    }
    try {
      limit = Math.max(0, in.read(buffer));
    } catch (CharacterCodingException e) {
      throw fault("the text is not UTF-8 from about here on");
    }
    return limit > 0;
  }
}
