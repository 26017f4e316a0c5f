package org.buftrail.jfr.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.buftrail.profile.dictionary.AttributeSetTable;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.dictionary.FunctionTable;
import org.buftrail.profile.dictionary.LocationTable;

/**
 * Ids of stacks that depend on their frames alone: on function, file, line, type and module of
 * each, leaf first. Each text, frame and stack of the dictionary is hashed once.
 */
final class StackIds {
  private static final String LIBRARY = "native.library.name";
  private static final long TEXT_SEED = 0xcbf29ce484222325L;
  private static final long TEXT_PRIME = 0x100000001b3L;

  private final Dictionary dictionary;
  private long[] stacks = new long[64];
  private long[] locations = new long[64];
  private long[] functions = new long[64];
  private int[] frames = new int[64];

  /** Where in the list the frames of locations are that have been asked for, counted from 1. */
  private int[] named = new int[64];

  private final List<StackFrame> all = new ArrayList<>();

  /** The number of the first in the list: those of others are not given again. */
  private int firstNumber;

  StackIds(Dictionary dictionary) {
    this.dictionary = dictionary;
  }

  /** Begins with a recording, whose dictionary is empty. */
  void begin() {
    renew();
    firstNumber = 0;
  }

  /** Forgets all: the dictionary has been cleared. */
  void renew() {
    firstNumber += all.size();
    all.clear();
    Arrays.fill(stacks, 0);
    Arrays.fill(locations, 0);
    Arrays.fill(functions, 0);
    Arrays.fill(named, 0);
  }

  /** The id of a stack of the dictionary; 0 for the empty one and no other. */
  long id(int stack) {
    int depth = dictionary.stacks().depth(stack);
    if (depth == 0) {
      return 0;
    }
    stacks = room(stacks, stack);
    if (stacks[stack] == 0) {
      stacks[stack] = notZero(hash(stack, depth));
    }
    return stacks[stack];
  }

  private long hash(int stack, int depth) {
    if (frames.length < depth) {
      frames = new int[depth * 2];
    }
    dictionary.stacks().copy(stack, frames);
    long hash = depth;
    for (int i = 0; i < depth; i++) {
      hash = mix(hash * TEXT_PRIME + location(frames[i]));
    }
    return hash;
  }

  private long location(int location) {
    locations = room(locations, location);
    if (locations[location] == 0) {
      LocationTable table = dictionary.locations();
      long hash = text(type(location)) * TEXT_PRIME + text(module(location));
      for (int i = 0; i < Math.max(1, table.lineCount(location)); i++) {
        hash = mix(hash * TEXT_PRIME + function(functionAt(location, i)));
        hash = mix(hash * TEXT_PRIME + lineAt(location, i));
      }
      locations[location] = notZero(hash);
    }
    return locations[location];
  }

  private long function(int function) {
    functions = room(functions, function);
    if (functions[function] == 0) {
      functions[function] = notZero(mix(text(name(function)) * TEXT_PRIME + text(file(function))));
    }
    return functions[function];
  }

  /** The frames of a stack, leaf first. */
  List<StackFrame> frames(int stack) {
    int[] numbers = numbers(stack);
    List<StackFrame> found = new ArrayList<>(numbers.length);
    for (int number : numbers) {
      found.add(frame(number));
    }
    return found;
  }

  StackFrame frame(int number) {
    return all.get(number - firstNumber);
  }

  /** The numbers of the frames of a stack, leaf first. */
  int[] numbers(int stack) {
    int depth = dictionary.stacks().depth(stack);
    if (frames.length < depth) {
      frames = new int[depth * 2];
    }
    dictionary.stacks().copy(stack, frames);
    int[] found = new int[depth];
    int count = 0;
    for (int i = 0; i < depth; i++) {
      int location = frames[i];
      int first = firstAt(location);
      int lines = Math.max(1, dictionary.locations().lineCount(location));
      if (count + lines > found.length) {
        found = Arrays.copyOf(found, 2 * (count + lines));
      }
      for (int k = 0; k < lines; k++) {
        found[count++] = first + k;
      }
    }
    return count == found.length ? found : Arrays.copyOf(found, count);
  }

  /** The number of the first frame of a location, which many stacks share. */
  private int firstAt(int location) {
    if (location >= named.length) {
      named = Arrays.copyOf(named, location * 2);
    }
    if (named[location] == 0) {
      named[location] = all.size() + 1;
      for (int k = 0; k < Math.max(1, dictionary.locations().lineCount(location)); k++) {
        int function = functionAt(location, k);
        all.add(
            new StackFrame(
                name(function),
                file(function),
                lineAt(location, k),
                type(location),
                module(location)));
      }
    }
    return firstNumber + named[location] - 1;
  }

  private int functionAt(int location, int position) {
    LocationTable table = dictionary.locations();
    return position < table.lineCount(location) ? table.function(location, position) : 0;
  }

  private long lineAt(int location, int position) {
    LocationTable table = dictionary.locations();
    return position < table.lineCount(location) ? table.line(location, position) : 0;
  }

  private String name(int function) {
    FunctionTable table = dictionary.functions();
    return dictionary.strings().get(table.name(function));
  }

  private String file(int function) {
    return dictionary.strings().get(dictionary.functions().fileName(function));
  }

  private String type(int location) {
    return attribute(location, Dictionary.FRAME_TYPE);
  }

  private String module(int location) {
    int mapping = dictionary.locations().mapping(location);
    String file = dictionary.strings().get(dictionary.mappings().fileName(mapping));
    return file.isEmpty() ? attribute(location, LIBRARY) : file;
  }

  private String attribute(int location, String key) {
    AttributeSetTable sets = dictionary.attributeSets();
    int set = dictionary.locations().attributeSet(location);
    for (int i = 0; i < sets.length(set); i++) {
      int attribute = sets.attribute(set, i);
      if (dictionary.strings().get(dictionary.attributes().key(attribute)).equals(key)) {
        return dictionary.attributes().text(attribute);
      }
    }
    return "";
  }

  private static long text(String text) {
    long hash = TEXT_SEED;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * TEXT_PRIME;
    }
    return mix(hash);
  }

  /** Spreads what differs over all bits. */
  private static long mix(long value) {
    long mixed = (value ^ value >>> 33) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ mixed >>> 33) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ mixed >>> 33;
  }

  private static long notZero(long hash) {
    return hash == 0 ? 1 : hash;
  }

  private static long[] room(long[] hashes, int index) {
    return index < hashes.length ? hashes : Arrays.copyOf(hashes, index * 2);
  }
}
