package org.buftrail.cli.options;

import java.util.ArrayList;
import java.util.List;

/** An option with any number of values. */
public abstract class ListOption<V> extends CommandOption {
  private final boolean split;
  private final List<V> values = new ArrayList<>();

  /**
   * @param split whether commas separate values
   */
  protected ListOption(String names, String label, boolean split, String... description) {
    super(names, label, description);
    this.split = split;
  }

  /** The given values, in order. */
  public final List<V> values() {
    return values;
  }

  @Override
  final void accept(String text) {
    int start = 0;
    for (int comma = text.indexOf(','); split && comma >= 0; comma = text.indexOf(',', start)) {
      values.add(read(text.substring(start, comma)));
      start = comma + 1;
    }
    values.add(read(text.substring(start)));
  }

  /**
   * Reads one value.
   *
   * @throws IllegalArgumentException if the text is none, saying so
   */
  protected abstract V read(String text);

  @Override
  final boolean isList() {
    return true;
  }

  @Override
  final boolean isSplit() {
    return split;
  }
}
