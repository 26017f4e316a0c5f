package org.buftrail.profile.dictionary;

/** What frames are called, whatever is known of them. Belongs to one thread. */
public final class FrameNames {
  /** Stands for what is not known. */
  static final String UNKNOWN = "[unknown]";

  private final Dictionary dictionary;

  /**
   * @param dictionary that holds the frames
   */
  public FrameNames(Dictionary dictionary) {
    this.dictionary = dictionary;
  }

  /**
   * The name of a function in a frame; the system's name where there is no other.
   *
   * @param location index of a location that has lines
   * @param position of the line, 0 the innermost
   */
  public String function(int location, int position) {
    int function = dictionary.locations().function(location, position);
    String name = dictionary.strings().get(dictionary.functions().name(function));
    if (name.isEmpty()) {
      name = dictionary.strings().get(dictionary.functions().systemName(function));
    }
    return name.isEmpty() ? UNKNOWN : name;
  }

  /**
   * What is known of a frame without function: the binary and the address in it.
   *
   * @param location index of a location without lines
   */
  public String address(int location) {
    long address = dictionary.locations().address(location);
    int mapping = dictionary.locations().mapping(location);
    String path = dictionary.strings().get(dictionary.mappings().fileName(mapping));
    String file = path.substring(path.lastIndexOf('/') + 1);
    if (address == 0) {
      return file.isEmpty() ? UNKNOWN : file;
    }
    return (file.isEmpty() ? "" : file + "+") + "0x" + Long.toHexString(address);
  }
}
