package org.buftrail.flow.woven;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class MemoryAlarmTest {
  @Test
  void errorsOfWantOfMemoryAreCountedAsTheyAreMade() {
    int before = MemoryAlarm.count();
    MemoryAlarm.raised();
    MemoryAlarm.raised();
    assertThat(MemoryAlarm.count() - before).isEqualTo(2);
  }
}
