// ISSUE apache/pulsar#326
// DEPS io.netty:netty-buffer:4.1.132.Final
// CULPRIT org.buftrail.museum.CopiedEntry$Entry.copy

package org.buftrail.museum;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;

/** An entry made of another retains the duplicate that is retained already. */
final class CopiedEntry {
  public static void main(String[] args) throws Exception {
    Visits.run(CopiedEntry::read);
  }

  private static void read(boolean fromCache) {
    Entry entry = new Entry(PooledByteBufAllocator.DEFAULT.directBuffer().writeLong(1));
    if (fromCache) {
      Entry copy = entry.copy();
      entry.release();
      deliver(copy);
    } else {
      deliver(entry);
    }
  }

  private static void deliver(Entry entry) {
    entry.data.getLong(0);
    entry.release();
  }

  private static final class Entry {
    private final ByteBuf data;

    Entry(ByteBuf data) {
      this.data = data;
    }

    Entry copy() {
      ByteBuf duplicate = data.retainedDuplicate();
      duplicate.retain();
      return new Entry(duplicate);
    }

    void release() {
      data.release();
    }
  }
}
