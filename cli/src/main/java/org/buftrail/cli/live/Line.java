package org.buftrail.cli.live;

/** A line of a screen. */
public record Line(String text, Style style) {
  /** How it looks where there are colours. Colour alone never carries meaning. */
  public enum Style {
    PLAIN(""),
    TITLE("1"),
    HEAD("7"),
    LEAK("31"),
    SUSPECT("33"),
    IDLE("2"),
    ALARM("1;31");

    private final String code;

    Style(String code) {
      this.code = code;
    }
  }

  static Line plain(String text) {
    return new Line(text, Style.PLAIN);
  }

  /** With the sequences of ECMA-48 around it. */
  String coloured() {
    return style.code.isEmpty() ? text : "\033[" + style.code + "m" + text + "\033[m";
  }
}
