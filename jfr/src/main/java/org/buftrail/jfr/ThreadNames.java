package org.buftrail.jfr;

import java.io.IOException;
import java.util.Arrays;
import org.buftrail.profile.dictionary.Dictionary;

/** Decodes the threads of one chunk that events name, to attribute sets with a name and an id. */
final class ThreadNames {
  private static final String[] FIELDS = {"osName", "osThreadId", "javaName", "javaThreadId"};
  private static final int OS_NAME = 0;
  private static final int OS_ID = 1;
  private static final int JAVA_NAME = 2;
  private static final int JAVA_ID = 3;

  private final Dictionary dictionary;
  private final Constants constants;
  private final ChunkTexts texts;
  private final Names names;
  private final long[] slots = new long[FIELDS.length];
  private final int[] members = new int[2];
  private int nameKey;
  private int idKey;

  ThreadNames(Dictionary dictionary, Constants constants, ChunkTexts texts, Names names) {
    this.dictionary = dictionary;
    this.constants = constants;
    this.texts = texts;
    this.names = names;
  }

  /** Decodes every thread that events name, if it was found. */
  void resolve(Window window, Metadata metadata) throws IOException, DamageException {
    TypeDescriptor type = metadata.type("java.lang.Thread");
    if (type == null || constants.threads.found() == 0) {
      return;
    }
    Layout layout = Layout.compile(metadata, type, window.compressed, Layout.slotsOf(FIELDS));
    nameKey = dictionary.strings().intern(AttributeKeys.THREAD_NAME);
    idKey = dictionary.strings().intern(AttributeKeys.THREAD_ID);
    for (int i = 0; i < constants.threads.found(); i++) {
      int index = constants.threads.inOrder(i);
      window.seek(constants.threads.offset(index));
      window.require(constants.threads.length(index), "a thread");
      Arrays.fill(slots, 0);
      layout.read(window, slots);
      if (window.position <= window.limit) {
        constants.threads.resolve(index, attributes(window));
      }
    }
  }

  private int attributes(Window window) {
    int javaName = name(window, slots[JAVA_NAME]);
    int name = javaName != 0 ? javaName : name(window, slots[OS_NAME]);
    long id = slots[JAVA_ID] > 0 ? slots[JAVA_ID] : slots[OS_ID];
    members[0] = name == 0 ? 0 : dictionary.attributes().internString(nameKey, name);
    members[1] = dictionary.attributes().internLong(idKey, id, 0);
    return dictionary.attributeSets().intern(members, 0, 2);
  }

  private int name(Window window, long offset) {
    if (offset == 0) {
      return 0;
    }
    window.seek(offset);
    if (window.fixed1() == Text.UTF8) {
      int length = window.i4();
      if (length >= 0 && length <= window.remaining()) {
        return dictionary.strings().intern(window.bytes, window.position, length);
      }
    }
    return names.text(texts.intern(window, offset));
  }
}
