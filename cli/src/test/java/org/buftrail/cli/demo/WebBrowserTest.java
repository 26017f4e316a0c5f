package org.buftrail.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class WebBrowserTest {
  private static final String PAGE = "http://127.0.0.1:9/#token=x";

  @Test
  void eachSystemHasAProgramThatOpensPages() {
    assertThat(WebBrowser.command("Mac OS X", Map.of(), PAGE)).containsExactly("open", PAGE);
    assertThat(WebBrowser.command("Windows 11", Map.of(), PAGE))
        .containsExactly("rundll32", "url.dll,FileProtocolHandler", PAGE);
    assertThat(WebBrowser.command("Linux", Map.of("DISPLAY", ":0"), PAGE))
        .containsExactly("xdg-open", PAGE);
    assertThat(WebBrowser.command("Linux", Map.of("WAYLAND_DISPLAY", "w"), PAGE)).hasSize(2);
  }

  @Test
  void withoutAScreenNothingIsOpened() {
    assertThat(WebBrowser.command("Linux", Map.of("HOME", "/root"), PAGE)).isEmpty();
  }
}
