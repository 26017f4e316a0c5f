package org.buftrail.jfr.samples;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.jfr.events.AllocationLog;
import org.buftrail.jfr.events.AllocationLogs;
import org.buftrail.jfr.kinds.ProfileType;
import org.buftrail.jfr.table.AddressTable;
import org.buftrail.profile.dictionary.KeyTable;

/**
 * What was allocated and not freed in those chunks of a process that have been merged, by family of
 * events. What happened last to an address counts. Freed addresses are forgotten at the end of a
 * chunk, since the events of the next are later: memory grows with what is live.
 */
public final class LiveAllocations {
  private final List<Family> families = new ArrayList<>();

  /** Takes what is live. */
  public interface Taker {
    /**
     * An allocation that was not freed.
     *
     * @param type the profile that it goes to
     * @param ticks when it was
     */
    void add(ProfileType type, int stack, int attributes, int link, long ticks, long bytes);
  }

  /** Events whose addresses are paired. Owners of addresses are indices of identities. */
  private static final class Family {
    final ProfileType live;
    final String name;
    final AddressTable table = new AddressTable();
    KeyTable identities = new KeyTable();

    Family(ProfileType live, String name) {
      this.live = live;
      this.name = name;
    }
  }

  private Family of(AllocationLogs.Family logged) {
    for (Family family : families) {
      if (family.live.equals(logged.live()) && family.name.equals(logged.name())) {
        return family;
      }
    }
    Family family = new Family(logged.live(), logged.name());
    families.add(family);
    return family;
  }

  /**
   * Adds what a chunk allocated and freed.
   *
   * @param rows who allocated: by the numbers of the event types, four ints a row, which begin with
   *     stack, attribute set and link
   */
  public void add(AllocationLogs.Family logged, int[][] rows) {
    AddressTable table = of(logged).table;
    KeyTable identities = of(logged).identities;
    AllocationLog log = logged.log();
    AddressTable records = log.records();
    boolean anyFreed = false;
    for (int record = 1; record <= records.size(); record++) {
      long owner = records.owner(record);
      long ticks = records.ticks(record);
      if (owner == AddressTable.NOBODY) {
        anyFreed |= table.replace(records.address(record), ticks, 0, owner);
      } else {
        int[] row = rows[AllocationLog.source(owner)];
        int at = SampleResolver.IDENTITY * AllocationLog.row(owner);
        int identity = identities.intern(row[at], row[at + 1], row[at + 2]);
        table.put(records.address(record), ticks, records.bytes(record), identity);
      }
    }
    for (int i = 0; i < log.frees() && table.size() > 0; i++) {
      anyFreed |= table.replace(log.freed(i), log.freedAt(i), 0, AddressTable.NOBODY);
    }
    if (anyFreed) {
      table.compact();
    }
  }

  /** Has the identities of what is live point into another dictionary, and forgets others. */
  public void move(DictionaryCopy copy) {
    for (Family family : families) {
      KeyTable moved = new KeyTable();
      AddressTable table = family.table;
      for (int record = 1; record <= table.size(); record++) {
        int identity = (int) table.owner(record);
        table.owner(record, copy.identity(family.identities, identity, moved));
      }
      family.identities = moved;
    }
  }

  /** Tells what is live and starts anew. */
  public void endProcess(Taker taker) {
    for (Family family : families) {
      AddressTable table = family.table;
      for (int record = 1; record <= table.size(); record++) {
        int identity = (int) table.owner(record);
        taker.add(
            family.live,
            family.identities.stack(identity),
            family.identities.attributeSet(identity),
            family.identities.link(identity),
            table.ticks(record),
            table.bytes(record));
      }
    }
    clear();
  }

  /** Forgets all addresses. */
  public void clear() {
    for (Family family : families) {
      family.table.clear();
      family.identities.clear();
    }
  }
}
