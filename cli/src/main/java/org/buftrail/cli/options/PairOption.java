package org.buftrail.cli.options;

import java.util.LinkedHashMap;
import java.util.Map;

/** Texts by their keys. */
final class PairOption extends ListOption<String> {
  PairOption(String names, String... description) {
    super(names, "KEY=VALUE", false, description);
  }

  @Override
  protected String read(String text) {
    if (text.indexOf('=') < 0) {
      throw new IllegalArgumentException("'" + text + "' is no KEY=VALUE");
    }
    return text;
  }

  Map<String, String> pairs() {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String pair : values()) {
      int equals = pair.indexOf('=');
      pairs.put(pair.substring(0, equals), pair.substring(equals + 1));
    }
    return pairs;
  }
}
