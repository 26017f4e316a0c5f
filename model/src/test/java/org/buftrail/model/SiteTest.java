package org.buftrail.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SiteTest {
  private static final Site SITE = new Site("com.acme.Shop$Cart", "take", "()V", 48, "_return");

  @Test
  void sitesAreEqualWhenTheyReadTheSame() {
    assertThat(SITE)
        .isEqualTo(new Site("com.acme.Shop$Cart", "take", "()V", 48, "_return"))
        .hasSameHashCodeAs(new Site("com.acme.Shop$Cart", "take", "()V", 48, "_return"));
    List<Object> others =
        List.of(
            new Site("com.acme.Shop", "take", "()V", 48, "_return"),
            new Site("com.acme.Shop$Cart", "put", "()V", 48, "_return"),
            new Site("com.acme.Shop$Cart", "take", "()V", 49, "_return"),
            new Site("com.acme.Shop$Cart", "take", "()V", 48, ""),
            "com.acme.Shop$Cart.take_return:48");
    List<Site> alike =
        List.of(
            new Site("com.acme.Shop$Cart", "take", "(I)V", 48, "_return"),
            new Site("com.acme.Shop$Cart", "take_return", "()V", 48, ""));
    assertThat(alike)
        .allSatisfy(
            other -> {
              assertThat(other).isEqualTo(SITE).hasSameHashCodeAs(SITE);
              assertThat(other.isExactly(SITE)).isFalse();
              assertThat(other.isExactly(other)).isTrue();
            });
    assertThat(others).allSatisfy(other -> assertThat((Object) SITE).isNotEqualTo(other));
  }

  @Test
  void aReaderIsTheSamePlaceAndNotTheVerySame() {
    Site entry = new Site("com.acme.Shop", "take", "()V", 48, "");
    Site reader = entry.ofReader();
    assertThat(reader).isEqualTo(entry).hasSameHashCodeAs(entry).hasToString(entry.toString());
    assertThat(reader.isExactly(entry)).isFalse();
    assertThat(reader.isExactly(entry.ofReader())).isTrue();
    assertThat(entry.onlyReads()).isFalse();
    assertThat(reader.onlyReads()).isTrue();
  }

  @Test
  void sitesOfOneProgramHardlyEverHaveTheSameHash() {
    Set<Integer> hashes = new HashSet<>();
    int sites = 0;
    for (int type = 0; type < 20; type++) {
      for (int method = 0; method < 20; method++) {
        for (int line = 0; line < 20; line++) {
          Site site = new Site("com.acme.Type" + type, "method" + method, "()V", 10 * line, "");
          hashes.add(site.hashCode());
          sites++;
        }
      }
    }
    assertThat(hashes).hasSizeGreaterThan(sites * 9 / 10);
  }

  @Test
  void textsSayWhatIsKnown() {
    assertThat(SITE).hasToString("com.acme.Shop$Cart.take_return:48");
    assertThat(SITE.hop()).isEqualTo("Shop$Cart.take_return");
    assertThat(SITE.className()).isEqualTo("com.acme.Shop$Cart");
    assertThat(SITE.method()).isEqualTo("take_return");
    assertThat(SITE.line()).isEqualTo(48);
    Site unknown = new Site("Shop", "take", "", 0, "");
    assertThat(unknown).hasToString("Shop.take");
    assertThat(unknown.hop()).isEqualTo("Shop.take");
  }

  @Test
  void whatIsNoMethodHasNoDot() {
    Site inTransit = new Site("(in transit)", "", "", 0, "");
    assertThat(inTransit).hasToString("(in transit)");
    assertThat(inTransit.hop()).isEqualTo("(in transit)");
    assertThat(inTransit.qualifiedName()).isEqualTo("(in transit)");
    assertThat(SITE.qualifiedName()).isEqualTo("com.acme.Shop$Cart.take_return");
  }
}
