package org.buftrail.cli.shape;

import java.util.Arrays;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.dictionary.LocationTable;
import org.buftrail.profile.dictionary.StackTable;

/** Stacks as one wants to look at them. */
public final class StackShape {
  private final Dictionary dictionary;
  private final Options options;
  private final StackCategory categories;
  private final int[] shaped;
  private int[] frames = new int[64];

  /**
   * What is done to stacks, in this order.
   *
   * @param simple names of classes lose their packages
   * @param classify a frame at the root says what the thread did
   * @param skip frames that are left out, from the root
   * @param reverse the leaf becomes the root; a thread that is the root stays there
   */
  public record Options(boolean simple, boolean classify, int skip, boolean reverse) {
    /** Whether nothing is done. */
    public boolean isPlain() {
      return !simple && !classify && skip == 0 && !reverse;
    }
  }

  private StackShape(Dictionary dictionary, Options options) {
    this.dictionary = dictionary;
    this.options = options;
    this.categories = new StackCategory(dictionary);
    this.shaped = new int[dictionary.stacks().size()];
    Arrays.fill(shaped, -1);
  }

  /** The same profiles with other stacks, over the same dictionary. */
  public static Profiles apply(Profiles all, Options options) {
    StackShape shape = new StackShape(all.dictionary(), options);
    return Rekeyed.of(all, shape::stack, attributes -> attributes);
  }

  private int stack(int stack) {
    if (shaped[stack] < 0) {
      shaped[stack] = shape(stack);
    }
    return shaped[stack];
  }

  private int shape(int stack) {
    StackTable stacks = dictionary.stacks();
    int depth = stacks.depth(stack);
    if (frames.length < depth + 1) {
      frames = new int[2 * depth];
    }
    stacks.copy(stack, frames);
    boolean thread = depth > 0 && isThread(frames[depth - 1]);
    int end = depth;
    if (options.classify && depth > 0) {
      int category = categories.frame(frames, thread ? depth - 1 : depth);
      // Below the thread, if it is there, as seen from the root.
      int at = thread ? depth - 1 : depth;
      System.arraycopy(frames, at, frames, at + 1, depth - at);
      frames[at] = category;
      end++;
    }
    if (options.simple) {
      for (int i = 0; i < end; i++) {
        frames[i] = simple(frames[i]);
      }
    }
    end = Math.max(0, end - options.skip);
    if (options.reverse) {
      int last = thread && options.skip == 0 ? end - 1 : end;
      for (int i = 0, j = last - 1; i < j; i++, j--) {
        int frame = frames[i];
        frames[i] = frames[j];
        frames[j] = frame;
      }
    }
    return stacks.intern(frames, 0, end);
  }

  private boolean isThread(int location) {
    return categories.name(location).startsWith("[") && categories.name(location).contains("tid=");
  }

  private int simple(int location) {
    LocationTable locations = dictionary.locations();
    if (locations.lineCount(location) != 1) {
      return location;
    }
    int function = locations.function(location);
    String name = categories.name(location);
    String simple = simpleName(name);
    if (simple.equals(name) || !categories.isJava(location)) {
      return location;
    }
    int renamed =
        dictionary
            .functions()
            .intern(
                dictionary.strings().intern(simple),
                dictionary.functions().systemName(function),
                dictionary.functions().fileName(function),
                dictionary.functions().startLine(function));
    return locations.intern(renamed, locations.line(location), locations.attributeSet(location));
  }

  /** {@code Class.method} of {@code package.Class.method}; numbers of hidden classes stay. */
  static String simpleName(String name) {
    int method = name.lastIndexOf('.');
    for (int i = method - 1; i > 0; i--) {
      if (name.charAt(i) == '.' && !Character.isDigit(name.charAt(i + 1))) {
        return name.substring(i + 1);
      }
    }
    return name;
  }
}
