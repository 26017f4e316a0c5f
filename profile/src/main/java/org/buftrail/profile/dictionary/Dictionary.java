package org.buftrail.profile.dictionary;

/**
 * The tables that all profiles of one output share. {@code ProfilesDictionary}.
 *
 * <p>Belongs to one thread, but for locations and stacks, which may be another's while no number of
 * more than 31 bits is added elsewhere. Grows with what is distinct in the input and is bounded by
 * memory alone; a table that outgrows a Java array throws {@link IllegalStateException} with one
 * line that says so. Tables may hold entries that nothing uses: writers leave those out.
 */
public final class Dictionary {
  /** Key of the attribute that says what kind of frame a location is: {@value}. */
  public static final String FRAME_TYPE = "profile.frame.type";

  /**
   * How a frame of Java code ran, where pages show it: {@code compiled}, {@code inlined}, and so
   * on; or that native code is {@code C++}.
   */
  public static final String COMPILATION = "jvm.frame.compilation";

  private final Longs longs = new Longs();
  private final StringTable strings = new StringTable();
  private final FunctionTable functions = new FunctionTable(strings, longs);
  private final LocationTable locations = new LocationTable(longs);
  private final StackTable stacks = new StackTable();
  private final LinkTable links = new LinkTable();
  private final AttributeTable attributes = new AttributeTable(strings, longs);
  private final AttributeSetTable attributeSets = new AttributeSetTable(attributes);
  private final MappingTable mappings = new MappingTable(longs);

  /** Makes a dictionary that holds only zero values. */
  public Dictionary() {}

  /** Strings. */
  public StringTable strings() {
    return strings;
  }

  /** Functions. */
  public FunctionTable functions() {
    return functions;
  }

  /** Frames. */
  public LocationTable locations() {
    return locations;
  }

  /** Stacks. */
  public StackTable stacks() {
    return stacks;
  }

  /** Links to spans. */
  public LinkTable links() {
    return links;
  }

  /** Attributes. */
  public AttributeTable attributes() {
    return attributes;
  }

  /** Sets of attributes. */
  public AttributeSetTable attributeSets() {
    return attributeSets;
  }

  /** Mapped binaries. */
  public MappingTable mappings() {
    return mappings;
  }

  /**
   * The attribute set of a frame of a given type and nothing else.
   *
   * @param type {@code jvm}, {@code native}, {@code kernel} or another value of the semantic
   *     convention
   */
  public int frameType(String type) {
    return attributeSets.intern(attributes.intern(FRAME_TYPE, type));
  }

  /** About how many bytes the entries take. Room that is kept for more is not counted. */
  public long bytes() {
    return strings.bytes()
        + stacks.bytes()
        + attributeSets.bytes()
        + 40L * (functions.size() + locations.size() + attributes.size())
        + 64L * (links.size() + mappings.size());
  }

  /**
   * Forgets everything and keeps the memory, for the next output. Every index handed out before is
   * void.
   */
  public void clear() {
    longs.clear();
    strings.clear();
    functions.clear();
    locations.clear();
    stacks.clear();
    links.clear();
    attributes.clear();
    attributeSets.clear();
    mappings.clear();
  }

  /** The index of a location of which nothing is known. */
  public int unknownLocation() {
    return locations.intern(functions.intern(FrameNames.UNKNOWN), 0, 0);
  }
}
