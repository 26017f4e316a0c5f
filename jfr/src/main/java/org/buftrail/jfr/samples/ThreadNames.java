package org.buftrail.jfr.samples;

import org.buftrail.jfr.constants.LazyConstantPool;
import org.buftrail.jfr.constants.ThreadTable;
import org.buftrail.jfr.events.AttributeKeys;
import org.buftrail.profile.dictionary.Dictionary;

/** Turns the threads of a chunk into attribute sets with a name and an id. */
public final class ThreadNames {
  private final Dictionary dictionary;
  private final SymbolResolver names;
  private final int[] members = new int[2];

  public ThreadNames(Dictionary dictionary, SymbolResolver names) {
    this.dictionary = dictionary;
    this.names = names;
  }

  /** Resolves every thread that was decoded. */
  public void resolve(ThreadTable threads, LazyConstantPool wanted) {
    if (threads.size() == 0) {
      return;
    }
    int nameKey = dictionary.strings().intern(AttributeKeys.THREAD_NAME);
    int idKey = dictionary.strings().intern(AttributeKeys.THREAD_ID);
    for (int i = 0; i < threads.size(); i++) {
      int javaName = name(threads.javaName(i));
      int name = javaName != 0 ? javaName : name(threads.osName(i));
      members[0] = name == 0 ? 0 : dictionary.attributes().internString(nameKey, name);
      members[1] = dictionary.attributes().internLong(idKey, threads.id(i), 0);
      wanted.resolve(threads.index(i), dictionary.attributeSets().intern(members, 0, 2));
    }
  }

  private int name(long text) {
    return text == 0 ? 0 : names.text(text);
  }
}
