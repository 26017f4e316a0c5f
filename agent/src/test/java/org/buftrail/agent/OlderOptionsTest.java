package org.buftrail.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.buftrail.agent.options.Options;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What was right to write once is right for ever, and means the same; see docs/compatibility.md.
 * {@code older-options.txt} has each argument with what it sets.
 */
final class OlderOptionsTest {
  private static final String MEANS = "  ==> ";
  private static final String HERE = Path.of("").toAbsolutePath() + "/";

  /** Of no option: what is shown, and what is found out later. */
  private static final List<String> OTHERS =
      List.of("services", "written", "shown", "spi", "owners", "inheritedFrom", "isWoven");

  static List<String> written() throws IOException {
    try (InputStream in =
            Objects.requireNonNull(
                OlderOptionsTest.class.getResourceAsStream("/older-options.txt"));
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return lines.lines().filter(line -> !line.startsWith("#")).collect(Collectors.toList());
    }
  }

  private static Options parse(String argument) {
    return Options.parse(argument, new Properties(), Map.of());
  }

  @ParameterizedTest
  @MethodSource("written")
  void isUnderstoodAsItWas(String line) throws Exception {
    String argument = line.split(MEANS, 2)[0];
    Options options = parse(argument);
    assertThat(options.written(options.services))
        .isEqualTo(argument.replaceAll("(?<=httpToken=)[^;]*", "…"));
    assertThat(argument + MEANS + effect(options)).isEqualTo(line);
  }

  @Test
  void eachSettingIsSetByOneOfThem() throws Exception {
    List<String> lines = new ArrayList<>();
    for (String line : written()) {
      lines.add(" " + withoutInner(line.split(MEANS, 2)[1]));
    }
    for (String setting : settings(parse("")).keySet()) {
      assertThat(lines).as(setting).anyMatch(line -> line.contains(" " + setting + "="));
    }
  }

  /** Without what stands in brackets, which may have names of the same kind. */
  private static String withoutInner(String effect) {
    StringBuilder outer = new StringBuilder();
    int depth = 0;
    for (int i = 0; i < effect.length(); i++) {
      char each = effect.charAt(i);
      depth -= each == '}' || each == ']' ? 1 : 0;
      if (depth == 0) {
        outer.append(each);
      }
      depth += each == '{' || each == '[' ? 1 : 0;
    }
    return outer.toString();
  }

  /** The settings that are not as they are without any option. */
  private static String effect(Options options) throws Exception {
    Map<String, String> set = settings(options);
    set.entrySet().removeAll(settings(parse("")).entrySet());
    return set.entrySet().stream()
        .map(each -> each.getKey() + "=" + each.getValue())
        .collect(Collectors.joining(" "));
  }

  private static Map<String, String> settings(Options options) throws Exception {
    Map<String, String> all = new TreeMap<>();
    addFields(options, all);
    addFields(options.services, all);
    return all;
  }

  private static void addFields(Object of, Map<String, String> to) throws Exception {
    for (Field field : of.getClass().getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers()) && !OTHERS.contains(field.getName())) {
        field.setAccessible(true);
        to.put(field.getName(), text(field.get(of)));
      }
    }
  }

  /** Writes an object without a text of its own by its fields. */
  private static String text(@Nullable Object value) throws Exception {
    if (value instanceof Collection) {
      List<String> texts = new ArrayList<>();
      for (Object each : (Collection<?>) value) {
        texts.add(text(each));
      }
      return texts.toString();
    }
    if (value == null
        || value.getClass().getMethod("toString").getDeclaringClass() != Object.class
        || !value.getClass().getName().startsWith("org.buftrail.")) {
      return String.valueOf(value).replace(HERE, "");
    }
    Map<String, String> fields = new TreeMap<>();
    addFields(value, fields);
    return fields.toString();
  }
}
