package org.buftrail.cli.options;

/** An option without a value. */
public class Flag extends CommandOption {
  public Flag(String names, String... description) {
    super(names, "", description);
  }

  @Override
  final void accept(String text) {
    // That it is there says all.
  }
}
