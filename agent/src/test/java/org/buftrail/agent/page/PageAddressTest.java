package org.buftrail.agent.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PageAddressTest {
  @Test
  void aPortAloneIsOnTheLoopbackWithAToken() {
    PageAddress at = PageAddress.of("8077", false, null);
    assertThat(at.host()).isEqualTo("127.0.0.1");
    assertThat(at.port()).isEqualTo(8077);
    assertThat(at.isTokenWanted()).isTrue();
    assertThat(at.isRemote()).isFalse();
  }

  @Test
  void hostsMayBeGiven() {
    assertThat(PageAddress.of("[::1]:80", false, "off").host()).isEqualTo("::1");
    assertThat(PageAddress.of("[::1]:80", false, "off").display()).isEqualTo("[::1]");
    assertThat(PageAddress.of("[::1]:80", false, "off").isTokenWanted()).isFalse();
    assertThat(PageAddress.of("0.0.0.0:80", true, null).isRemote()).isTrue();
    assertThat(PageAddress.of("localhost:80", true, null).isRemote()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "0.0.0.0:80,false,,httpRemote=true",
    "example.org:80,false,,httpRemote=true",
    "0.0.0.0:80,true,off,needs a token",
    "80,false,short,at least 16",
    "80,false,sixteen letters and blanks,at least 16",
    "eighty,false,,PORT or HOST:PORT",
    "65536,false,,PORT or HOST:PORT",
    "-1,false,,PORT or HOST:PORT",
  })
  void whatIsUnsafeOrWrongIsSaid(
      String http, boolean remote, @Nullable String token, String message) {
    assertThatThrownBy(() -> PageAddress.of(http, remote, token))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("option 'http")
        .hasMessageContaining(message);
  }
}
