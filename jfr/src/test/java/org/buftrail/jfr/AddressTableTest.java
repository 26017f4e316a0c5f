package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.buftrail.jfr.table.AddressTable;
import org.junit.jupiter.api.Test;

class AddressTableTest {
  private static final long NOBODY = AddressTable.NOBODY;

  private final AddressTable table = new AddressTable();

  @Test
  void theLatestCountsWhicheverIsPutFirst() {
    table.put(0x7f0000001000L, 20, 0, NOBODY);
    table.put(0x7f0000001000L, 10, 64, 3);
    table.put(0x7f0000002000L, 10, 64, 3);
    table.put(0x7f0000002000L, 30, 128, 5);
    table.compact();
    assertThat(table.size()).isEqualTo(1);
    assertThat(table.address(1)).isEqualTo(0x7f0000002000L);
    assertThat(table.ticks(1)).isEqualTo(30);
    assertThat(table.bytes(1)).isEqualTo(128);
    assertThat(table.owner(1)).isEqualTo(5);
  }

  @Test
  void whatIsNotThereIsNotReplaced() {
    table.put(0x7f0000001000L, 20, 64, 3);
    assertThat(table.replace(0x7f0000001000L, 30, 0, NOBODY)).isTrue();
    assertThat(table.replace(0x7f0000002000L, 30, 0, NOBODY)).isFalse();
    assertThat(table.size()).isEqualTo(1);
    assertThat(table.owner(1)).isEqualTo(NOBODY);
  }

  @Test
  void manyAddressesAreKeptOverChunks() {
    Random random = new Random(7);
    Map<Long, Long> model = new HashMap<>();
    for (int chunk = 0; chunk < 3; chunk++) {
      for (int i = 0; i < 20_000; i++) {
        // Addresses that differ in their upper bits alone are different, too.
        long address = (long) random.nextInt(40) << 48 | random.nextInt(1000) << 4;
        long owner = random.nextInt(3) == 0 ? NOBODY : 2L * i;
        table.put(address, 20_000L * chunk + i, address, owner);
        model.put(address, owner);
      }
      model.values().removeIf(owner -> owner == NOBODY);
      table.compact();
      assertThat(table.size()).isEqualTo(model.size());
      for (int record = 1; record <= table.size(); record++) {
        assertThat(table.owner(record)).isEqualTo(model.get(table.bytes(record)));
      }
    }
    table.clear();
    assertThat(table.size()).isZero();
  }
}
