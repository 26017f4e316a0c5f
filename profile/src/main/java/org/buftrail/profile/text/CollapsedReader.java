package org.buftrail.profile.text;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.protobuf.MalformedMessageException;

/**
 * Reads collapsed stacks, a line each: frames from the root to the leaf with semicolons between, a
 * space, a whole number of 0 or more.
 *
 * <p>They become one profile of {@code samples} in {@code count}: the format says neither what is
 * counted nor when. Strict: every line must be of this form, in UTF-8.
 */
public final class CollapsedReader {
  private static final ValueType SAMPLES = ValueType.of("samples", "count");
  private static final String NO_STACK = "[no stack]";

  private final Dictionary dictionary = new Dictionary();
  private final Map<String, Integer> locations = new HashMap<>();
  private final Samples samples = Samples.summed(1);
  private int[] frames = new int[64];

  private CollapsedReader() {}

  /**
   * Reads text into a dictionary of its own.
   *
   * @param source read to its end, not closed
   * @throws MalformedMessageException if a line is of another form; its text names the line
   * @throws IOException if the source cannot be read
   */
  public static Profiles read(InputStream source) throws IOException {
    CollapsedReader reader = new CollapsedReader();
    BufferedReader text =
        new BufferedReader(new InputStreamReader(source, StandardCharsets.UTF_8.newDecoder()));
    long number = 1;
    try {
      for (String line = text.readLine(); line != null; line = text.readLine()) {
        reader.add(line, number);
        number++;
      }
    } catch (CharacterCodingException e) {
      throw malformed(number, "it, or what follows, is not UTF-8");
    }
    if (number == 1) {
      throw new MalformedMessageException("is empty");
    }
    return new Profiles(reader.dictionary)
        .add(new Profile("", SAMPLES, reader.samples, 0).period(SAMPLES, 1));
  }

  private static MalformedMessageException malformed(long line, String what) {
    return new MalformedMessageException("line " + line + ": " + what);
  }

  private void add(String line, long number) throws IOException {
    int space = line.lastIndexOf(' ');
    if (space <= 0) {
      throw malformed(number, "has no stack with a number behind it");
    }
    String digits = line.substring(space + 1);
    long value;
    try {
      value = digits.matches("[0-9]+") ? Long.parseLong(digits) : -1;
    } catch (NumberFormatException e) {
      value = -1;
    }
    if (value < 0) {
      throw malformed(number, "does not end in a whole number of 0 or more");
    }
    samples.add(stack(line.substring(0, space), number), 0, 0, value);
  }

  private int stack(String text, long number) throws IOException {
    if (text.equals(NO_STACK)) {
      return 0;
    }
    String[] names = text.split(";", -1);
    if (frames.length < names.length) {
      frames = Arrays.copyOf(frames, names.length * 2);
    }
    for (int i = 0; i < names.length; i++) {
      if (names[i].isEmpty()) {
        throw malformed(number, "has a frame without a name");
      }
      Integer known = locations.get(names[i]);
      if (known == null) {
        known = dictionary.locations().intern(dictionary.functions().intern(names[i]), 0, 0);
        locations.put(names[i], known);
      }
      frames[names.length - 1 - i] = known;
    }
    return dictionary.stacks().intern(frames, 0, names.length);
  }
}
