package org.buftrail.cli.live;

import java.io.IOException;
import java.io.InputStream;

/** Keys that are no character, and how terminals send them. */
public final class Key {
  /** None was pressed. */
  public static final int NONE = -1;

  static final int INTERRUPT = 3;
  static final int END_OF_TEXT = 4;
  static final int BACKSPACE = 8;
  static final int ENTER = '\n';
  static final int RETURN = '\r';
  static final int ESCAPE = 27;
  static final int DELETE = 127;
  static final int UP = 1_000;
  static final int DOWN = 1_001;
  static final int PAGE_UP = 1_002;
  static final int PAGE_DOWN = 1_003;
  static final int HOME = 1_004;
  static final int END = 1_005;
  static final int UNKNOWN = 1_006;

  private Key() {}

  /**
   * Reads one key. All bytes of one arrive together.
   *
   * @param in gives -1 while nothing is pressed
   */
  static int read(InputStream in) throws IOException {
    int first = in.read();
    if (first != ESCAPE) {
      return first;
    }
    int second = in.read();
    if (second != '[' && second != 'O') {
      return ESCAPE;
    }
    int number = 0;
    int last = in.read();
    while ((last >= '0' && last <= '9') || last == ';') {
      number = last == ';' ? number : number * 10 + last - '0';
      last = in.read();
    }
    return switch (last) {
      case 'A' -> UP;
      case 'B' -> DOWN;
      case 'H' -> HOME;
      case 'F' -> END;
      case '~' ->
          switch (number) {
            case 1, 7 -> HOME;
            case 4, 8 -> END;
            case 5 -> PAGE_UP;
            case 6 -> PAGE_DOWN;
            default -> UNKNOWN;
          };
      default -> UNKNOWN;
    };
  }
}
