package org.buftrail.cli.shape;

import java.util.HexFormat;
import org.buftrail.profile.Profile;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.trie.AttributeByKey;

/** Samples that were taken for one trace: by their link, or by the root span that Datadog names. */
final class OfTrace implements SampleTest {
  private static final int HALF = 16;
  private static final String ROOT = "datadog.local_root_span.id";

  private final Dictionary dictionary;
  private final AttributeByKey root;
  private final String low;
  private final long highBits;
  private final long lowBits;

  /**
   * @param id up to 32 hexadecimal digits
   */
  OfTrace(Dictionary dictionary, String id) {
    this.dictionary = dictionary;
    this.root = new AttributeByKey(dictionary, ROOT);
    String digits = "0".repeat(2 * HALF - id.length()) + id;
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
    return highBits == 0 && root.in(profile.samples().attributeSet(sample)).equals(low);
  }
}
