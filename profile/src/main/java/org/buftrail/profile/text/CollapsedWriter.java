package org.buftrail.profile.text;

import java.io.IOException;
import java.util.Arrays;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Samples;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.dictionary.FrameNames;
import org.buftrail.profile.dictionary.LocationTable;
import org.buftrail.profile.dictionary.StackTable;

/**
 * Writes a profile as collapsed stacks, a line each: frames from the root to the leaf with
 * semicolons between, a space, the value. What flame-graph tools read.
 *
 * <p>Samples whose frames read the same are one line, whatever their attributes, in the order of
 * their first appearance; lines of value 0 are left out. Semicolons in names become colons, line
 * ends blanks, and what else controls a terminal stands as {@link Printable} says. Reusable for
 * profiles of the same dictionary. Belongs to one thread.
 */
public final class CollapsedWriter {
  private final Dictionary dictionary;
  private final FrameNames names;
  private final boolean lines;
  // Frames as they are written, and stacks of them. Entry 0 of the first is no frame.
  private final Dictionary texts = new Dictionary();
  private int[] frames = new int[256];
  private int[] textOfLocation = new int[256];

  /**
   * @param dictionary the tables of the profiles
   * @param lines whether to write a colon and the line behind each frame that has one
   */
  public CollapsedWriter(Dictionary dictionary, boolean lines) {
    this.dictionary = dictionary;
    this.names = new FrameNames(dictionary);
    this.lines = lines;
  }

  /**
   * Writes one profile.
   *
   * @throws IOException if the target cannot be written
   */
  public void write(Profile profile, Appendable target) throws IOException {
    StackTable stacks = texts.stacks();
    Samples samples = profile.samples();
    long[] totals = new long[Math.max(16, stacks.size())];
    int[] order = new int[16];
    boolean[] seen = new boolean[totals.length];
    int count = 0;
    for (int i = 0; i < samples.size(); i++) {
      int stack = textStack(samples.stack(i));
      if (stack >= totals.length) {
        totals = Arrays.copyOf(totals, stack * 2);
        seen = Arrays.copyOf(seen, stack * 2);
      }
      if (!seen[stack]) {
        seen[stack] = true;
        order = count == order.length ? Arrays.copyOf(order, count * 2) : order;
        order[count++] = stack;
      }
      totals[stack] = Samples.plus(totals[stack], profile.value(i));
    }
    for (int i = 0; i < count; i++) {
      if (totals[order[i]] != 0) {
        writeLine(order[i], totals[order[i]], target);
      }
    }
  }

  private void writeLine(int stack, long value, Appendable target) throws IOException {
    int depth = texts.stacks().depth(stack);
    for (int k = 0; k < depth; k++) {
      if (k > 0) {
        target.append(';');
      }
      target.append(texts.strings().get(texts.stacks().location(stack, k)));
    }
    if (depth == 0) {
      target.append("[no stack]");
    }
    target.append(' ').append(Long.toString(value)).append('\n');
  }

  /** A stack of texts, root first. */
  private int textStack(int stack) {
    StackTable stacks = dictionary.stacks();
    LocationTable locations = dictionary.locations();
    int count = 0;
    for (int k = stacks.depth(stack) - 1; k >= 0; k--) {
      int location = stacks.location(stack, k);
      int functions = locations.lineCount(location);
      ensureFrames(count + Math.max(1, functions));
      if (functions <= 1) {
        frames[count++] = text(location);
      }
      // Inlined functions come innermost first.
      for (int position = functions - 1; functions > 1 && position >= 0; position--) {
        frames[count++] = text(location, position);
      }
    }
    return texts.stacks().intern(frames, 0, count);
  }

  private void ensureFrames(int room) {
    if (frames.length < room) {
      frames = Arrays.copyOf(frames, room * 2);
    }
  }

  /** The text of a location of one function, remembered. */
  private int text(int location) {
    if (location >= textOfLocation.length) {
      textOfLocation =
          Arrays.copyOf(textOfLocation, Math.max(location + 1, dictionary.locations().size()));
    }
    if (textOfLocation[location] == 0) {
      boolean known = dictionary.locations().lineCount(location) > 0;
      textOfLocation[location] =
          known ? text(location, 0) : texts.strings().intern(plain(names.address(location)));
    }
    return textOfLocation[location];
  }

  private int text(int location, int position) {
    String name = plain(names.function(location, position));
    long line = dictionary.locations().line(location, position);
    return texts.strings().intern(lines && line > 0 ? name + ":" + line : name);
  }

  private static String plain(String name) {
    return Printable.line(name.replace(';', ':').replace('\r', ' ').replace('\n', ' '));
  }
}
