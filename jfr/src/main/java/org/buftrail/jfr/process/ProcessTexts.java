package org.buftrail.jfr.process;

/**
 * Picks out of texts what they say of a process. Without patterns: to compile the first takes
 * longer than all of this, in a JVM that is started for one recording.
 */
public final class ProcessTexts {
  private static final String FOR = "for ";
  private static final String PRETTY_NAME = "PRETTY_NAME=\"";

  private ProcessTexts() {}

  /**
   * The version's number; empty if there is none. The JDK gives the virtual machine's name, then
   * its version in parentheses; others give the version alone.
   */
  public static String number(String version) {
    for (int i = 0; i < version.length(); i++) {
      boolean begins = i == 0 || version.charAt(i - 1) == '(';
      if (begins && isDigit(version.charAt(i))) {
        int end = i;
        while (end < version.length() && ") ".indexOf(version.charAt(end)) < 0) {
          end++;
        }
        return version.substring(i, end);
      }
    }
    return "";
  }

  /**
   * The operating system and the processor that a version is for, as in {@code for linux-amd64}.
   *
   * @return the two, or nothing if it does not say
   */
  public static String[] platform(String version) {
    for (int at = version.indexOf(FOR); at >= 0; at = version.indexOf(FOR, at + 1)) {
      int system = at + FOR.length();
      int systemEnd = endOfWord(version, system);
      int processor = systemEnd + 1;
      if (systemEnd > system && version.startsWith("-", systemEnd)) {
        int end = endOfWord(version, processor);
        if (end > processor && (at == 0 || !isOfWord(version.charAt(at - 1)))) {
          return new String[] {
            version.substring(system, systemEnd), version.substring(processor, end)
          };
        }
      }
    }
    return new String[0];
  }

  private static int endOfWord(String text, int from) {
    int end = from;
    while (end < text.length() && isOfWord(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean isOfWord(char c) {
    return isDigit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
  }

  public static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /**
   * The name of an operating system: of {@code /etc/os-release} its pretty one, or a first line.
   */
  public static String system(String description) {
    int start = description.indexOf(PRETTY_NAME);
    int end = start < 0 ? -1 : description.indexOf('"', start + PRETTY_NAME.length());
    if (end >= 0) {
      return description.substring(start + PRETTY_NAME.length(), end);
    }
    int line = 0;
    while (line < description.length() && "\r\n".indexOf(description.charAt(line)) < 0) {
      line++;
    }
    return description.substring(0, line);
  }
}
