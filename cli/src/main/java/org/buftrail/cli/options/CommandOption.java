package org.buftrail.cli.options;

import java.util.List;

/**
 * An option of a command, and what a command line says of it: a row of the table that {@link
 * ArgumentReader} reads plain command lines by, and from which {@link OptionTable} makes the
 * parser's.
 */
public abstract class CommandOption {
  private final String[] names;
  private final String label;
  private final String[] description;
  private boolean given;

  /**
   * @param names separated by spaces, the longest last
   * @param label what stands for the value in help; empty if the option takes none
   * @param description paragraphs of help
   */
  CommandOption(String names, String label, String... description) {
    this.names = names(names);
    this.label = label;
    this.description = description;
  }

  private static String[] names(String names) {
    int space = names.indexOf(' ');
    return space < 0
        ? new String[] {names}
        : new String[] {names.substring(0, space), names.substring(space + 1)};
  }

  final String[] names() {
    return names;
  }

  /** The name to speak of it. */
  final String name() {
    return names[names.length - 1];
  }

  final String label() {
    return label;
  }

  String[] description() {
    return description;
  }

  final boolean takesValue() {
    return !label.isEmpty();
  }

  /** Whether a command line named it. */
  public final boolean isGiven() {
    return given;
  }

  final boolean isNamed(String name) {
    for (String each : names) {
      if (each.equals(name)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Takes what a command line says.
   *
   * @param text the value; empty if the option takes none
   * @throws IllegalArgumentException if it is no such value, saying so
   */
  final void take(String text) {
    accept(text);
    given = true;
  }

  abstract void accept(String text);

  /** Whether it may be given several times, or several values at once, separated by commas. */
  boolean isList() {
    return false;
  }

  /** Whether commas separate values. */
  boolean isSplit() {
    return false;
  }

  /** The type of a value, as far as shells complete it. */
  Class<?> type() {
    return String.class;
  }

  /** Values to choose from; empty if there are others. */
  List<String> candidates() {
    return List.of();
  }
}
