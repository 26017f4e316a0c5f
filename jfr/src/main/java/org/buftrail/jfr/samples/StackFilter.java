package org.buftrail.jfr.samples;

import java.util.Arrays;
import java.util.regex.Pattern;
import org.buftrail.profile.dictionary.Dictionary;
import org.jspecify.annotations.Nullable;

/**
 * Which stacks are wanted: those with a frame that matches one pattern, and without any that
 * matches another. A frame matches by its method ({@code a/b/C.m} or {@code a.b.C.m}), or by its
 * class. What was found of a function or a stack is remembered.
 */
public final class StackFilter {
  private static final byte INCLUDED = 1;
  private static final byte EXCLUDED = 2;
  private static final byte KNOWN = 4;

  private final Dictionary dictionary;
  private final @Nullable Pattern include;
  private final @Nullable Pattern exclude;
  private byte[] functions = new byte[1024];
  private byte[] stacks = new byte[1024];

  public StackFilter(Dictionary dictionary, @Nullable Pattern include, @Nullable Pattern exclude) {
    this.dictionary = dictionary;
    this.include = include;
    this.exclude = exclude;
  }

  /** Whether samples of a stack are wanted. */
  public boolean accepts(int stack) {
    if (stack >= stacks.length) {
      stacks = Arrays.copyOf(stacks, stack * 2);
    }
    if (stacks[stack] == 0) {
      stacks[stack] = ofFrames(stack);
    }
    boolean included = include == null || (stacks[stack] & INCLUDED) != 0;
    return included && (stacks[stack] & EXCLUDED) == 0;
  }

  private byte ofFrames(int stack) {
    int found = KNOWN;
    for (int i = 0; i < dictionary.stacks().depth(stack); i++) {
      found |= ofFunction(dictionary.locations().function(dictionary.stacks().location(stack, i)));
    }
    return (byte) found;
  }

  private byte ofFunction(int function) {
    if (function >= functions.length) {
      functions = Arrays.copyOf(functions, function * 2);
    }
    if (functions[function] == 0) {
      String name = dictionary.strings().get(dictionary.functions().name(function));
      int found = KNOWN | (matches(include, name) ? INCLUDED : 0);
      functions[function] = (byte) (found | (matches(exclude, name) ? EXCLUDED : 0));
    }
    return functions[function];
  }

  private static boolean matches(@Nullable Pattern pattern, String name) {
    if (pattern == null) {
      return false;
    }
    int dot = name.lastIndexOf('.');
    String type = dot < 0 ? name : name.substring(0, dot);
    String slashed = type.replace('.', '/');
    return pattern.matcher(name).matches()
        || pattern.matcher(type).matches()
        || pattern.matcher(slashed).matches()
        || (dot >= 0 && pattern.matcher(slashed + name.substring(dot)).matches());
  }
}
