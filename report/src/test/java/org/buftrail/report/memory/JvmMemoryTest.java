package org.buftrail.report.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Properties;
import org.junit.jupiter.api.Test;

final class JvmMemoryTest {
  private static final String OF_11 =
      " Metaspace       used 3456K, capacity 4486K, committed 4864K, reserved 1056768K\n";
  private static final String OF_17 =
      " Metaspace       used 73K, committed 320K, reserved 1114112K\n";

  private static Properties figures(String info) {
    Properties figures = new Properties();
    figures.setProperty("answer.vmInfo", "Heap:\n" + info + "  class space    used 3K");
    return figures;
  }

  private static Properties known(String info) {
    Properties figures = figures(info);
    figures.setProperty("answer.vmMetaspace", "node #0: base 0x00007f0000000000");
    return figures;
  }

  @Test
  void metaspaceThatDidNotGrowIsNotAskedForAgain() {
    String used = OF_17.replace("73K, committed 320K", "9000K, committed 9500K");
    assertThat(JvmMemory.isMetaspaceAsBefore(figures(used), known(OF_17))).isTrue();
    assertThat(JvmMemory.isMetaspaceAsBefore(figures(OF_11), known(OF_11))).isTrue();
  }

  @Test
  void metaspaceThatGrewIsAskedForAgain() {
    String grown = OF_17.replace("1114112K", "1179648K");
    assertThat(JvmMemory.isMetaspaceAsBefore(figures(grown), known(OF_17))).isFalse();
  }

  @Test
  void whatIsNotKnownIsAskedFor() {
    assertThat(JvmMemory.isMetaspaceAsBefore(figures(OF_17), new Properties())).isFalse();
    assertThat(JvmMemory.isMetaspaceAsBefore(figures(OF_17), figures(OF_17))).isFalse();
    assertThat(JvmMemory.isMetaspaceAsBefore(figures("none"), known("none"))).isFalse();
  }
}
