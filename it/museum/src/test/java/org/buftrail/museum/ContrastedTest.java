package org.buftrail.museum;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.buftrail.museum.Contrasted.Others;
import org.junit.jupiter.api.Test;

final class ContrastedTest {
  private static Contrasted of(int leaked, String contrast, Others others) throws Exception {
    String report = "{'paths':[{'leaked':" + leaked + contrast + "}]}";
    return Contrasted.of(
        new ObjectMapper().readTree(report.replace('\'', '"')),
        "a line\nledger: 150 well, 50 not\n",
        others);
  }

  private static String released(int count) {
    return ",'contrast':{'released':" + count + "}";
  }

  @Test
  void bothNumbersAreThoseOfTheLedger() throws Exception {
    Others one = new Others(1, 0);
    assertThat(of(50, released(150), one)).isEqualTo(Contrasted.RIGHT);
    assertThat(of(50, released(100), one)).isEqualTo(Contrasted.WRONG);
    assertThat(of(49, released(150), one)).isEqualTo(Contrasted.WRONG);
    assertThat(of(50, "", one)).isEqualTo(Contrasted.NONE);
    assertThat(of(50, released(300), one)).isEqualTo(Contrasted.WRONG);
    assertThat(of(50, released(300), new Others(2, 0))).isEqualTo(Contrasted.RIGHT);
    assertThat(of(50, released(200), new Others(1, 1))).isEqualTo(Contrasted.RIGHT);
  }
}
