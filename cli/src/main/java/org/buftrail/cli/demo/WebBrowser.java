package org.buftrail.cli.demo;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The user's browser. */
public final class WebBrowser {
  private WebBrowser() {}

  /** Opens a page, where there is a screen and a program that opens pages; else does nothing. */
  public static void open(String address) {
    List<String> command = command(System.getProperty("os.name"), System.getenv(), address);
    if (command.isEmpty()) {
      return;
    }
    try {
      new ProcessBuilder(command)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      // The address is printed as well.
    }
  }

  /** What opens a page; empty where there is no screen. */
  static List<String> command(String system, Map<String, String> environment, String address) {
    String name = system.toLowerCase(Locale.ROOT);
    if (name.startsWith("mac")) {
      return List.of("open", address);
    }
    if (name.startsWith("windows")) {
      return List.of("rundll32", "url.dll,FileProtocolHandler", address);
    }
    boolean screen =
        environment.containsKey("DISPLAY") || environment.containsKey("WAYLAND_DISPLAY");
    return screen ? List.of("xdg-open", address) : List.of();
  }
}
