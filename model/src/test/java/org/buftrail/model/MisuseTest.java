package org.buftrail.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.buftrail.model.Misuse.Kind;
import org.junit.jupiter.api.Test;

final class MisuseTest {
  @Test
  void wovenCodeCallsEachKindByANumber() {
    assertThat(Kind.of(0)).isEqualTo(Kind.DOUBLE_RELEASE);
    assertThat(Kind.of(1)).isEqualTo(Kind.RETAIN_AFTER_RELEASE);
    assertThat(Kind.of(2)).isEqualTo(Kind.USE_AFTER_RELEASE);
    assertThat(Kind.of(3)).isEqualTo(Kind.RELEASE_OF_TOO_MANY);
    for (Kind kind : Kind.values()) {
      assertThat(Kind.of(kind.code())).isEqualTo(kind);
    }
  }

  @Test
  void bothLivesOfTheObjectAreTold() {
    Site site = new Site("a.Shop", "refund", "", 5, "");
    Path.Hop first = new Path.Hop(site, "1-2", false, false);
    Path.Hop end = new Path.Hop(site, "0", false, false);
    Misuse misuse = new Misuse(Kind.USE_AFTER_RELEASE, site, 4, List.of(first, end), List.of(end));
    assertThat(misuse.kind().text()).isEqualTo("use after release");
    assertThat(misuse.site()).isSameAs(site);
    assertThat(misuse.count()).isEqualTo(4);
    assertThat(misuse.hops()).containsExactly(first, end);
    assertThat(misuse.earlier()).containsExactly(end);
  }
}
