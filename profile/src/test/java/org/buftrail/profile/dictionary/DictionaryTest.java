package org.buftrail.profile.dictionary;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class DictionaryTest {
  private final Dictionary dictionary = new Dictionary();

  /** Interns values in the given order and compares every index with a plain map's. */
  private static <T> void sameAsMap(
      List<T> values, T zero, ToIntFunction<T> intern, IntFunction<T> read) {
    Map<T, Integer> model = new HashMap<>();
    model.put(zero, 0);
    for (T value : values) {
      Integer known = model.putIfAbsent(value, model.size());
      assertThat(intern.applyAsInt(value)).isEqualTo(known == null ? model.size() - 1 : known);
    }
    model.forEach((value, index) -> assertThat(read.apply(index)).isEqualTo(value));
  }

  private static List<Integer> numbers(Random random, int from, int to) {
    return random.ints(random.nextInt(301), from, to + 1).boxed().toList();
  }

  /** Strings of any characters, including those of several bytes and lonely halves of pairs. */
  private static String text(Random random, int most) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      text.append((char) (random.nextInt(0x1_0000) >> random.nextInt(13)));
    }
    return text.toString();
  }

  @RepeatedTest(300)
  void stringsAreInternedAsByAMap(RepetitionInfo seed) {
    Random random = new Random(seed.getCurrentRepetition());
    StringTable strings = dictionary.strings();
    List<String> wellFormed = new ArrayList<>();
    for (int i = random.nextInt(301); i > 0; i--) {
      String value = text(random, i % 3 == 0 ? 2 : 300);
      wellFormed.add(new String(value.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
      if (i % 5 == 0) {
        wellFormed.add(wellFormed.get(random.nextInt(wellFormed.size())));
      }
    }
    sameAsMap(wellFormed, "", strings::intern, strings::get);
    dictionary.clear();
    sameAsMap(
        wellFormed,
        "",
        s -> {
          byte[] bytes = ("<<" + s + ">").getBytes(StandardCharsets.UTF_8);
          return strings.intern(bytes, 2, bytes.length - 3);
        },
        strings::get);
  }

  /** How a string comes to be in the table: whole, or joined to one that is there. */
  record Text(boolean whole, int left, String right) {}

  private static Text randomText(Random random) {
    StringBuilder right = new StringBuilder();
    for (int i = 1 + random.nextInt(20); i > 0; i--) {
      right.append("ab.\u20ac".charAt(random.nextInt(4)));
    }
    // As short ones repeat, what is joined is often known.
    int length = random.nextBoolean() ? 1 : right.length();
    return new Text(random.nextBoolean(), random.nextInt(1 << 20), right.substring(0, length));
  }

  @RepeatedTest(500)
  void joinedStringsAreThoseGivenInWhole(RepetitionInfo seed) {
    Random random = new Random(seed.getCurrentRepetition());
    StringTable strings = dictionary.strings();
    Map<String, Integer> model = new HashMap<>();
    List<String> known = new ArrayList<>();
    known.add("a");
    model.put("a", strings.intern("a"));
    for (int i = random.nextInt(301); i > 0; i--) {
      Text text = randomText(random);
      String left = known.get(text.left % known.size());
      String string = left + "." + text.right;
      byte[] bytes = ("<<" + string + ">").getBytes(StandardCharsets.UTF_8);
      byte[] right = ("<" + text.right + ">>").getBytes(StandardCharsets.UTF_8);
      int index =
          text.whole
              ? strings.intern(bytes, 2, bytes.length - 3)
              : strings.join(model.getOrDefault(left, -1), right, 1, right.length - 3);
      if (model.putIfAbsent(string, index) == null) {
        known.add(string);
        assertThat(index).isEqualTo(strings.size() - 1);
      }
      assertThat(index).isEqualTo(model.get(string));
    }
    model.forEach(
        (string, index) -> {
          byte[] bytes = string.getBytes(StandardCharsets.UTF_8);
          byte[] copy = new byte[bytes.length];
          strings.copy(index, copy, 0);
          assertThat(copy).isEqualTo(bytes);
          assertThat(strings.byteLength(index)).isEqualTo(bytes.length);
          assertThat(strings.get(index)).isEqualTo(string);
        });
  }

  @Test
  void whatIsJoinedIsRepairedAsAWhole() {
    StringTable strings = dictionary.strings();
    byte[] broken = {(byte) 0xC0, 'b'};
    int index = strings.join(strings.intern("a"), broken, 0, broken.length);
    assertThat(strings.get(index)).isEqualTo("a.\uFFFDb");
    assertThat(strings.intern("a.\uFFFDb")).isEqualTo(index);
  }

  @RepeatedTest(300)
  void stacksAreInternedAsByAMap(RepetitionInfo seed) {
    Random random = new Random(seed.getCurrentRepetition());
    List<List<Integer>> values = new ArrayList<>();
    for (int i = random.nextInt(201); i > 0; i--) {
      values.add(random.ints(random.nextInt(13), 0, 4).boxed().toList());
    }
    StackTable stacks = dictionary.stacks();
    sameAsMap(
        values,
        List.of(),
        s -> {
          int[] padded = new int[s.size() + 2];
          for (int i = 0; i < s.size(); i++) {
            padded[i + 1] = s.get(i);
          }
          return stacks.intern(padded, 1, s.size() + 1);
        },
        index -> {
          int[] target = new int[stacks.depth(index)];
          stacks.copy(index, target);
          List<Integer> read = new ArrayList<>();
          for (int i = 0; i < target.length; i++) {
            assertThat(stacks.location(index, i)).isEqualTo(target[i]);
            read.add(target[i]);
          }
          return read;
        });
  }

  @RepeatedTest(300)
  void functionsAreInternedAsByAMap(RepetitionInfo seed) {
    FunctionTable functions = dictionary.functions();
    List<List<Integer>> values = new ArrayList<>();
    for (int n : numbers(new Random(seed.getCurrentRepetition()), 0, 600)) {
      // Some names have one function, some have several.
      values.add(n > 300 ? List.of(n, 0, 0) : List.of(n / 20, n % 20 / 2, n % 2));
    }
    sameAsMap(
        values,
        List.of(0, 0, 0),
        v -> functions.intern(v.get(0), v.get(1), v.get(2), 0),
        i -> List.of(functions.name(i), functions.systemName(i), functions.fileName(i)));
  }

  @Test
  void functionsOfManyNamesAreFoundWhenLaterTheirNamesAreShared() {
    FunctionTable functions = dictionary.functions();
    for (int round = 0; round < 2; round++) {
      for (int name = 1; name <= 10_000; name++) {
        assertThat(functions.intern(name, 0, 0, 0)).isEqualTo(name);
      }
      for (int name = 1; name <= 10_000; name++) {
        assertThat(functions.intern(name, 1, 0, 0)).isEqualTo(10_000 + name);
      }
    }
  }

  @RepeatedTest(300)
  void linksAreInternedAsByAMap(RepetitionInfo seed) {
    LinkTable links = dictionary.links();
    List<List<Long>> values = new ArrayList<>();
    for (int n : numbers(new Random(seed.getCurrentRepetition()), 0, 40)) {
      values.add(List.of(n % 3L, (n / 3) % 3L << 60, -(long) (n / 9)));
    }
    sameAsMap(
        values,
        List.of(0L, 0L, 0L),
        l -> links.intern(l.get(0), l.get(1), l.get(2)),
        i -> List.of(links.traceHigh(i), links.traceLow(i), links.span(i)));
  }

  @Test
  void manyEntriesOfEveryTableKeepTheirIndices() {
    Random random = new Random(42);
    int count = 100_000;
    for (int i = 1; i <= count; i++) {
      assertThat(dictionary.strings().intern("s" + i)).isEqualTo(i);
      assertThat(dictionary.functions().intern(i, i / 2, i % 3, i)).isEqualTo(i);
      assertThat(dictionary.locations().intern(i / 7 + 1, i, 0)).isEqualTo(i);
      assertThat(dictionary.links().intern(0, i, i)).isEqualTo(i);
      assertThat(dictionary.stacks().intern(new int[] {i, 1, i}, 0, 3)).isEqualTo(i);
      assertThat(dictionary.attributes().internLong(1, (long) i << 20, 2)).isEqualTo(i);
    }
    for (int k = 0; k < 10_000; k++) {
      int i = 1 + random.nextInt(count);
      assertThat(dictionary.strings().get(i)).isEqualTo("s" + i);
      assertThat(dictionary.strings().intern("s" + i)).isEqualTo(i);
      assertThat(dictionary.functions().intern(i, i / 2, i % 3, i)).isEqualTo(i);
      assertThat(dictionary.locations().intern(i / 7 + 1, i, 0)).isEqualTo(i);
      assertThat(dictionary.links().intern(0, i, i)).isEqualTo(i);
      assertThat(dictionary.stacks().intern(new int[] {i, 1, i}, 0, 3)).isEqualTo(i);
      assertThat(dictionary.attributes().longValue(i)).isEqualTo((long) i << 20);
    }
  }

  @Test
  void everyTableHoldsItsZeroValueFirst() {
    assertThat(dictionary.strings().size()).isEqualTo(1);
    assertThat(dictionary.strings().get(0)).isEmpty();
    assertThat(dictionary.strings().intern("")).isZero();
    assertThat(dictionary.functions().intern(0, 0, 0, 0)).isZero();
    assertThat(dictionary.functions().intern(0, 0, 0, -1)).isZero();
    assertThat(dictionary.locations().intern(0, -1, 0)).isZero();
    assertThat(dictionary.locations().lineCount(0)).isZero();
    assertThat(dictionary.stacks().intern(new int[3], 1, 1)).isZero();
    assertThat(dictionary.stacks().depth(0)).isZero();
    assertThat(dictionary.links().intern(0, 0, 0)).isZero();
    assertThat(dictionary.mappings().intern(0, 0, 0, 0, 0)).isZero();
    assertThat(dictionary.mappings().fileName(0)).isZero();
    assertThat(dictionary.attributes().kind(0)).isEqualTo(AttributeTable.Kind.NONE);
    assertThat(dictionary.attributeSets().intern(new int[] {0, 0}, 0, 2)).isZero();
    assertThat(dictionary.attributeSets().length(0)).isZero();
  }

  @Test
  void stringsThatAreNotWellFormedAreRepairedOnce() {
    StringTable strings = dictionary.strings();
    byte[] broken = {'a', (byte) 0xC0, (byte) 0x80, 'b'};
    int index = strings.intern(broken, 0, broken.length);
    assertThat(strings.get(index)).isEqualTo("a\uFFFD\uFFFDb");
    assertThat(strings.intern(broken, 0, broken.length)).isEqualTo(index);
    assertThat(strings.intern("a\uFFFD\uFFFDb")).isEqualTo(index);
    assertThat(strings.get(strings.intern("x\uD800y"))).isEqualTo("x?y");
    assertThat(strings.get(strings.intern("\uD83D\uDE00"))).isEqualTo("\uD83D\uDE00");
  }

  /** Bytes at random, with those that begin and go on with a character more often. */
  private static byte[] nearlyUtf8(Random random) {
    byte[] bytes = new byte[random.nextInt(7)];
    for (int i = 0; i < bytes.length; i++) {
      int any = random.nextInt(256);
      bytes[i] =
          (byte)
              switch (random.nextInt(4)) {
                case 0 -> any;
                case 1 -> 0xC0 | (any & 0x3F);
                case 2 -> "\u00E0\u00ED\u00EF\u00F0\u00F4\u00C2".charAt(any % 6);
                default -> 0x80 | (any & 0x3F);
              };
    }
    return bytes;
  }

  @RepeatedTest(500)
  void utf8IsJudgedAsByTheJdk(RepetitionInfo seed) {
    Random random = new Random(seed.getCurrentRepetition());
    List<byte[]> all = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      all.add(nearlyUtf8(random));
    }
    all.add(text(random, 40).getBytes(StandardCharsets.UTF_8));
    for (byte[] bytes : all) {
      String decoded = new String(bytes, StandardCharsets.UTF_8);
      boolean clean = Arrays.equals(decoded.getBytes(StandardCharsets.UTF_8), bytes);
      assertThat(Utf8.isValid(bytes, 0, bytes.length)).isEqualTo(clean);
    }
  }

  @Test
  void locationsKeepAddressesColumnsAndInlinedLines() {
    LocationTable locations = dictionary.locations();
    int jvm = dictionary.frameType("jvm");
    int plain = locations.intern(3, 70_000, jvm);
    assertThat(locations.lineCount(plain)).isEqualTo(1);
    assertThat(locations.function(plain)).isEqualTo(3);
    assertThat(locations.line(plain)).isEqualTo(70_000);
    assertThat(locations.attributeSet(plain)).isEqualTo(jvm);
    assertThat(locations.mapping(plain)).isZero();
    assertThat(locations.intern(0, 0, 3, 70_000, 0, jvm)).isEqualTo(plain);

    int inlined =
        locations.intern(
            2,
            0xFFFF_FFFF_8100_0000L,
            jvm,
            new int[] {5, 6, 7},
            new long[] {1L << 40, 9, 10},
            new long[] {11, 0, 1L << 33},
            3);
    assertThat(locations.mapping(inlined)).isEqualTo(2);
    assertThat(locations.address(inlined)).isEqualTo(0xFFFF_FFFF_8100_0000L);
    assertThat(locations.lineCount(inlined)).isEqualTo(3);
    assertThat(locations.function(inlined, 0)).isEqualTo(5);
    assertThat(locations.line(inlined, 0)).isEqualTo(1L << 40);
    assertThat(locations.column(inlined, 0)).isEqualTo(11);
    assertThat(locations.function(inlined, 2)).isEqualTo(7);
    assertThat(locations.line(inlined, 2)).isEqualTo(10);
    assertThat(locations.column(inlined, 2)).isEqualTo(1L << 33);

    int bare = locations.intern(2, 16, jvm, new int[0], new long[0], new long[0], 0);
    assertThat(locations.lineCount(bare)).isZero();
    assertThat(locations.address(bare)).isEqualTo(16);
    assertThat(locations.size()).isEqualTo(4);
  }

  @Test
  void attributesKeepTypeValueAndUnit() {
    AttributeTable attributes = dictionary.attributes();
    int text = attributes.intern("thread.name", "main");
    int number = attributes.intern("thread.id", Long.MIN_VALUE, "");
    int size = attributes.intern("size", 1.5, "By");
    int truth = attributes.intern("direct", false);
    assertThat(List.of(text, number, size, truth)).containsExactly(1, 2, 3, 4);
    assertThat(attributes.intern("size", 1.5, "By")).isEqualTo(size);
    assertThat(attributes.intern("size", 1.5, "s")).isEqualTo(5);
    assertThat(attributes.text(text)).isEqualTo("main");
    assertThat(attributes.text(number)).isEqualTo("-9223372036854775808");
    assertThat(attributes.text(size)).isEqualTo("1.5");
    assertThat(attributes.text(truth)).isEqualTo("false");
    assertThat(dictionary.strings().get(attributes.unit(size))).isEqualTo("By");
    assertThat(dictionary.strings().get(attributes.key(truth))).isEqualTo("direct");
  }

  @Test
  void attributeSetsIgnoreOrderAndHoldEachKeyOnce() {
    AttributeTable attributes = dictionary.attributes();
    AttributeSetTable sets = dictionary.attributeSets();
    int a = attributes.intern("a", "1");
    int b = attributes.intern("b", "1");
    int otherA = attributes.intern("a", "2");
    int both = sets.intern(new int[] {9, b, a, 9}, 1, 3);
    assertThat(sets.intern(new int[] {a, b}, 0, 2)).isEqualTo(both);
    assertThat(sets.with(sets.intern(b), a)).isEqualTo(both);
    assertThat(sets.attribute(both, 0)).isEqualTo(a);
    int replaced = sets.with(both, otherA);
    assertThat(sets.length(replaced)).isEqualTo(2);
    assertThat(sets.attribute(replaced, 0)).isEqualTo(b);
    assertThat(sets.attribute(replaced, 1)).isEqualTo(otherA);
    assertThat(sets.intern(new int[] {a, otherA, b}, 0, 3)).isEqualTo(replaced);
  }

  @Test
  void largeAttributeSetsAreAsSmallOnes() {
    AttributeTable attributes = dictionary.attributes();
    AttributeSetTable sets = dictionary.attributeSets();
    int[] many = new int[500];
    int oneByOne = 0;
    for (int i = 0; i < many.length; i++) {
      many[i] = i % 50 == 7 ? 0 : attributes.intern("k" + (i * 31) % 60, "v" + i);
      oneByOne = sets.with(oneByOne, many[i]);
    }
    assertThat(sets.length(oneByOne)).isEqualTo(60);
    assertThat(sets.intern(many, 0, many.length)).isEqualTo(oneByOne);
  }

  @Test
  void aClearedDictionaryStartsAnew() {
    for (int round = 0; round < 2; round++) {
      assertThat(dictionary.strings().intern("r" + round)).isEqualTo(1);
      assertThat(dictionary.functions().intern("f" + round)).isEqualTo(1);
      assertThat(dictionary.locations().intern(1, 1L << 40, 0)).isEqualTo(1);
      assertThat(dictionary.locations().line(1)).isEqualTo(1L << 40);
      assertThat(dictionary.strings().intern("g")).isEqualTo(3);
      dictionary.clear();
      assertThat(dictionary.strings().size()).isEqualTo(1);
    }
  }

  @RepeatedTest(200)
  void manyLocationsAtOnceAreThoseOneByOne(RepetitionInfo seed) {
    List<Integer> numbers = numbers(new Random(seed.getCurrentRepetition()), -1, 40);
    int count = numbers.size();
    int[] functions = new int[count];
    int[] lines = new int[count];
    int[] sets = new int[count];
    int[] found = new int[count];
    for (int i = 0; i < count; i++) {
      functions[i] = Math.max(0, numbers.get(i)) / 7;
      lines[i] = numbers.get(i) % 5;
      sets[i] = Math.max(0, numbers.get(i)) % 3;
    }
    int[] givenLines = lines.clone();
    LocationTable together = new Dictionary().locations();
    LocationTable alone = new Dictionary().locations();
    together.intern(functions, lines, sets, 0, count, found, 0);
    for (int i = 0; i < count; i++) {
      assertThat(found[i]).isEqualTo(alone.intern(functions[i], givenLines[i], sets[i]));
    }
    assertThat(together.size()).isEqualTo(alone.size());
  }
}
