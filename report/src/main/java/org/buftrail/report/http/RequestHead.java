package org.buftrail.report.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Collects the head of a request as it comes, and reads it as strictly as RFC 9112 allows.
 *
 * <p>Whatever two readers could read differently is refused: lines that end with LF alone, folded
 * lines, space around a header's name, two lengths, a length beside an encoding, no host or two.
 * Stricter than the RFC asks: a request begins with its method, not with an empty line, and names a
 * path, not a whole URL, and comes from one origin at most. Belongs to one thread.
 */
final class RequestHead {
  /** The longest head, in bytes. */
  static final int MAX_BYTES = 16 << 10;

  /** The most header lines. */
  static final int MAX_FIELDS = 100;

  private static final int FIRST_BYTES = 1 << 10;
  private static final String SEPARATORS = "\"(),/:;<=>?@[\\]{}";
  private static final int BAD_REQUEST = 400;
  private static final int URI_TOO_LONG = 414;
  private static final int FIELDS_TOO_LARGE = 431;
  private static final int NOT_IMPLEMENTED = 501;
  private static final int VERSION_NOT_SUPPORTED = 505;

  private byte[] bytes = new byte[FIRST_BYTES];
  private int size;
  private boolean firstLine = true;

  /**
   * Takes what came.
   *
   * @return whether the head is whole; what is left in {@code in} is behind it
   * @throws MalformedRequestException as soon as it cannot become a request
   */
  boolean add(ByteBuffer in) throws MalformedRequestException {
    while (in.hasRemaining()) {
      if (size == MAX_BYTES) {
        throw firstLine
            ? new MalformedRequestException(URI_TOO_LONG, "the first line is too long")
            : new MalformedRequestException(FIELDS_TOO_LARGE, "the head is too long");
      }
      if (size == bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.min(MAX_BYTES, 2 * size));
      }
      byte next = in.get();
      if (size == 0 && !isToken(next)) {
        // This refuses TLS, for one, before a deadline has passed.
        throw bad("it does not begin with a method");
      }
      bytes[size++] = next;
      if (next == '\n' && isEnd()) {
        return true;
      }
    }
    return false;
  }

  /** Whether a line feed ends the head; it may end nothing else but a line. */
  private boolean isEnd() throws MalformedRequestException {
    if (size < 2 || bytes[size - 2] != '\r') {
      throw bad("a line ends with a line feed alone");
    }
    firstLine = false;
    return size >= 4 && bytes[size - 3] == '\n';
  }

  /**
   * Reads a head that is whole.
   *
   * @throws MalformedRequestException if it breaks the rules
   */
  Request read() throws MalformedRequestException {
    String text = new String(bytes, 0, size - 4, StandardCharsets.ISO_8859_1);
    String[] lines = text.split("\r\n", -1);
    String[] first = lines[0].split(" ", -1);
    if (first.length != 3 || !isToken(first[0])) {
      throw bad("the first line is not a method, a path and a version");
    }
    boolean is11 = first[2].equals("HTTP/1.1");
    if (!is11 && !first[2].equals("HTTP/1.0")) {
      throw first[2].matches("HTTP/[0-9]\\.[0-9]")
          ? new MalformedRequestException(VERSION_NOT_SUPPORTED, "it is not HTTP/1.1")
          : bad("the version is none");
    }
    Map<String, List<String>> headers = headers(lines);
    checkHost(headers, is11);
    checkLength(headers, is11);
    if (headers.getOrDefault("origin", List.of()).size() > 1) {
      throw bad("there is more than one origin");
    }
    return new Request(first[0], uri(first[1]), is11, headers);
  }

  private static URI uri(String target) throws MalformedRequestException {
    if (!target.startsWith("/") || target.startsWith("//") || target.indexOf('#') >= 0) {
      throw bad("the path does not begin with one slash, or has a fragment");
    }
    if (!target.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
      throw bad("the path has characters that must be escaped");
    }
    try {
      return new URI(target);
    } catch (URISyntaxException e) {
      throw bad("the path is none");
    }
  }

  private static Map<String, List<String>> headers(String[] lines)
      throws MalformedRequestException {
    if (lines.length - 1 > MAX_FIELDS) {
      throw new MalformedRequestException(FIELDS_TOO_LARGE, "there are too many headers");
    }
    Map<String, List<String>> headers = new HashMap<>();
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(':');
      if (colon < 0 || !isToken(lines[i].substring(0, colon))) {
        throw bad("a header has no name");
      }
      String name = lines[i].substring(0, colon).toLowerCase(Locale.ROOT);
      headers.computeIfAbsent(name, n -> new ArrayList<>(1)).add(value(lines[i], colon + 1));
    }
    return headers;
  }

  private static String value(String line, int from) throws MalformedRequestException {
    int start = from;
    int end = line.length();
    while (start < end && isSpace(line.charAt(start))) {
      start++;
    }
    while (start < end && isSpace(line.charAt(end - 1))) {
      end--;
    }
    for (int i = start; i < end; i++) {
      char c = line.charAt(i);
      if ((c < ' ' && c != '\t') || c == 0x7F) {
        throw bad("a header has a control character");
      }
    }
    return line.substring(start, end);
  }

  private static void checkHost(Map<String, List<String>> headers, boolean is11)
      throws MalformedRequestException {
    int hosts = headers.getOrDefault("host", List.of()).size();
    if (hosts > 1 || (is11 && hosts == 0)) {
      throw bad("there is no host, or more than one");
    }
  }

  private static void checkLength(Map<String, List<String>> headers, boolean is11)
      throws MalformedRequestException {
    List<String> lengths = headers.getOrDefault("content-length", List.of());
    List<String> encodings = headers.getOrDefault("transfer-encoding", List.of());
    if (lengths.size() + encodings.size() > 1 || (!encodings.isEmpty() && !is11)) {
      throw bad("the length of the body is said twice");
    }
    if (!lengths.isEmpty() && !lengths.get(0).matches("[0-9]{1,18}")) {
      throw bad("the length of the body is no number");
    }
    if (!encodings.isEmpty() && !encodings.get(0).equalsIgnoreCase("chunked")) {
      throw new MalformedRequestException(NOT_IMPLEMENTED, "the body is not in chunks");
    }
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\t';
  }

  private static boolean isToken(String text) {
    return !text.isEmpty() && text.chars().allMatch(RequestHead::isToken);
  }

  private static boolean isToken(int c) {
    return c > ' ' && c < 0x7F && SEPARATORS.indexOf(c) < 0;
  }

  private static MalformedRequestException bad(String message) {
    return new MalformedRequestException(BAD_REQUEST, message);
  }
}
