package org.buftrail.profile.html;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.diff.ProfileDiff;
import org.junit.jupiter.api.Test;

/**
 * What pages of profiles carry is what the unit tests of {@code web/} show. After a change, {@code
 * -Dbuftrail.docs=update -Dtest=PagesForWebTest} writes it, and {@code npm test} there says what
 * looks different.
 */
final class PagesForWebTest {
  private static final Path PAGES = Path.of("../web/test/pages");
  private static final long SECOND = 1_000_000_000;

  @Test
  void aPageOfProfilesWithTimesThreadsAndTraces() throws IOException {
    StringBuilder page = new StringBuilder();
    ProfileHtml.write(busy(), ProfileHtml.View.FLAMES, new PageLook("", "", 0.002), page);
    assertKept("profiles.json", page);
  }

  @Test
  void aPageOfAComparison() throws IOException {
    Profiles base = compared(new long[] {601, 397, 53, 61}, 1_000);
    base.resource().put("service.name", "orders");
    ProfileDiff diff =
        ProfileDiff.of(
            List.of(base),
            List.of(compared(new long[] {1_801, 0, 109, 127, 307}, 2_000)),
            ProfileDiff.Scale.AUTO,
            false);
    StringBuilder page = new StringBuilder();
    DiffHtml.write(diff, "monday.jfr", "tuesday.jfr", page);
    assertKept("diff.json", page);
  }

  private static void assertKept(String name, CharSequence page) throws IOException {
    String model = HtmlPageTest.model(page.toString()).trim() + "\n";
    Path file = PAGES.resolve(name);
    if ("update".equals(System.getProperty("buftrail.docs"))) {
      Files.writeString(file, model);
    }
    assertThat(model).isEqualTo(Files.readString(file));
  }

  /** Six seconds of three threads and two traces, and kinds without times. */
  private static Profiles busy() {
    Dictionary d = new Dictionary();
    int run = frame(d, "com.example.shop.Main.run", 12, "jvm");
    int parse = frame(d, "com.example.shop.Parser.parse", 40, "jvm");
    int again = frame(d, "com.example.shop.Parser.parse", 55, "inlined");
    int lambda =
        frame(
            d,
            "com.example.shop.Main$$Lambda.0x0000000084041c30.apply(java.lang.Object)",
            0,
            "jvm");
    int read = frame(d, "libc.so.6.read", 0, "native");
    int sys = frame(d, "finish_task_switch.isra.0", 0, "kernel");
    int none = frame(d, "[no stack]", 0, "native");
    int deep = stack(d, again, parse, run);
    int system = stack(d, sys, read, parse, run);
    int call = stack(d, lambda, run);
    Samples cpu = Samples.observed(1);
    for (int i = 0; i < 60; i++) {
      long time = 1_767_225_600L * SECOND + i * 97_000_000L;
      cpu.observe(
          i % 4 == 0 ? system : deep,
          thread(d, "worker-1"),
          i % 3 == 0 ? d.links().intern(0, 0xa, 1) : 0,
          time,
          1 + i % 2);
      if (i % 7 == 0) {
        cpu.observe(call, thread(d, ""), d.links().intern(0, 0xb, 2), time, 5);
      }
      if (i > 30 && i < 36) {
        cpu.observe(stack(d, none), thread(d, "GC Thread#0"), 0, time, 11);
      }
    }
    Samples alloc = Samples.summed(2);
    alloc.add(stack(d, parse, run), 0, 0, 5, 2 << 20);
    alloc.add(call, 0, 0, 3, 4_099);
    Samples lock = Samples.summed(1);
    lock.add(deep, 0, 0, 1_300_000_007L);
    lock.add(stack(d, run), 0, 0, 1);
    Profiles profiles = new Profiles(d);
    profiles
        .resource()
        .put("service.name", "shop")
        .put("host.name", "till-1")
        .put("profile.length", "PT1M45.7S");
    profiles.add(new Profile("cpu", ValueType.of("samples", "count"), cpu, 0));
    profiles.add(new Profile("alloc", ValueType.of("allocated_objects", "count"), alloc, 0));
    profiles.add(new Profile("alloc", ValueType.of("allocated_space", "bytes"), alloc, 1));
    profiles.add(new Profile("lock", ValueType.of("blocked", "nanoseconds"), lock, 0));
    return profiles;
  }

  /** What was measured of parse, copy, few, some and cache, in so many milliseconds. */
  private static Profiles compared(long[] values, long millis) {
    Dictionary d = new Dictionary();
    String[] names = {"Parser.parse", "Buffer.copy", "Rare.few", "Rare.some", "Cache.fill"};
    Samples samples = Samples.summed(1);
    int run = frame(d, "com.example.shop.Main.run", 12, "jvm");
    for (int i = 0; i < values.length; i++) {
      if (values[i] > 0) {
        int at = frame(d, "com.example.shop." + names[i], 40 + i, i == 1 ? "native" : "jvm");
        samples.add(stack(d, at, run), 0, 0, values[i]);
      }
    }
    Profile profile = new Profile("cpu", ValueType.of("samples", "count"), samples, 0);
    profile.range(1, millis);
    return new Profiles(d).add(profile);
  }

  private static int frame(Dictionary d, String name, int line, String type) {
    return d.locations().intern(d.functions().intern(name), line, d.frameType(type));
  }

  private static int stack(Dictionary d, int... locations) {
    return d.stacks().intern(locations, 0, locations.length);
  }

  private static int thread(Dictionary d, String name) {
    return d.attributeSets().intern(d.attributes().intern("thread.name", name));
  }
}
