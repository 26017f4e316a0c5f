package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.buftrail.jfr.table.LongIntMap;
import org.junit.jupiter.api.Test;

final class LongIntMapTest {
  /** Keys of counters, of counters that begin late, of addresses, and all the others. */
  private static long key(SplittableRandom random) {
    return switch (random.nextInt(5)) {
      case 0 -> random.nextInt(2_000);
      case 1 -> 100_000 + random.nextInt(2_000);
      case 2 -> 0x7f00_0000_0000L + 16L * random.nextInt(2_000);
      case 3 -> (long) random.nextInt(50) << 16 | random.nextInt(40);
      default -> random.nextLong() >> random.nextInt(64);
    };
  }

  @Test
  void isAMap() {
    LongIntMap map = new LongIntMap();
    for (int seed = 0; seed < 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Map<Long, Integer> model = new HashMap<>();
      for (int i = 0; i < 20_000; i++) {
        long key = key(random);
        int before = model.size();
        assertThat(map.intern(key)).isEqualTo(model.computeIfAbsent(key, k -> before));
        long other = key(random);
        assertThat(map.get(other)).isEqualTo(model.getOrDefault(other, LongIntMap.NONE));
        assertThat(map.size()).isEqualTo(model.size());
      }
      model.forEach((key, index) -> assertThat(map.get(key)).isEqualTo(index));
      map.clear();
      model.keySet().forEach(key -> assertThat(map.get(key)).isEqualTo(LongIntMap.NONE));
    }
  }

  @Test
  void holdsTheLeastAndTheGreatestKeys() {
    LongIntMap map = new LongIntMap();
    long[] keys = {Long.MIN_VALUE, -1, 0, Integer.MAX_VALUE, 1L << 32, Long.MAX_VALUE};
    for (int i = 0; i < keys.length; i++) {
      assertThat(map.intern(keys[i])).isEqualTo(i);
    }
    for (int i = 0; i < keys.length; i++) {
      assertThat(map.get(keys[i])).isEqualTo(i);
    }
  }
}
