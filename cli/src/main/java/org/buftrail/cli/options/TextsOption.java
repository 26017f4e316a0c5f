package org.buftrail.cli.options;

public final class TextsOption extends ListOption<String> {
  public TextsOption(String names, String label, boolean split, String... description) {
    super(names, label, split, description);
  }

  @Override
  protected String read(String text) {
    return text;
  }
}
