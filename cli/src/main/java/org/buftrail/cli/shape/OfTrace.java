package org.buftrail.cli.shape;

import java.util.HexFormat;
import java.util.Locale;
import org.buftrail.profile.Profile;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.trie.AttributeByKey;

/**
 * Samples that were taken for one trace: by their link, by the label that pprof has of it, or by
 * the root span where that alone is known.
 */
final class OfTrace implements SampleTest {
  private static final int HALF = 16;
  private static final String ROOT = "datadog.local_root_span.id";
  private static final String LABEL = "trace_id";

  private final Dictionary dictionary;
  private final AttributeByKey root;
  private final AttributeByKey label;
  private final String digits;
  private final String low;
  private final long highBits;
  private final long lowBits;

  /**
   * @param id up to 32 hexadecimal digits
   */
  OfTrace(Dictionary dictionary, String id) {
    this.dictionary = dictionary;
    this.root = new AttributeByKey(dictionary, ROOT);
    this.label = new AttributeByKey(dictionary, LABEL);
    this.digits = "0".repeat(2 * HALF - id.length()) + id.toLowerCase(Locale.ROOT);
    this.highBits = HexFormat.fromHexDigitsToLong(digits, 0, HALF);
    this.lowBits = HexFormat.fromHexDigitsToLong(digits, HALF, 2 * HALF);
    this.low = HexFormat.of().toHexDigits(lowBits);
  }

  @Override
  public boolean keeps(Profile profile) {
    return true;
  }

  @Override
  public boolean keeps(Profile profile, int sample, long time) {
    int link = profile.samples().link(sample);
    if (link != 0) {
      return dictionary.links().traceHigh(link) == highBits
          && dictionary.links().traceLow(link) == lowBits;
    }
    int set = profile.samples().attributeSet(sample);
    return label.in(set).equals(digits) || (highBits == 0 && root.in(set).equals(low));
  }
}
