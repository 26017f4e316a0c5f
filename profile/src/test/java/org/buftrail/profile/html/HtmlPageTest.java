package org.buftrail.profile.html;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HtmlPageTest {
  private static final Path WEB = Path.of("../web");

  @Test
  void thePageIsBuiltFromTheSourcesThatAreThere() throws IOException, GeneralSecurityException {
    List<String> names = new ArrayList<>();
    try (Stream<Path> sources = Files.list(WEB.resolve("src"))) {
      sources.map(file -> "src/" + file.getFileName()).sorted().forEach(names::add);
    }
    names.addAll(List.of("build.mjs", "bundle.mjs", "package-lock.json"));
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (String name : names) {
      all.writeBytes((name + "\n").getBytes(StandardCharsets.UTF_8));
      all.writeBytes(Files.readAllBytes(WEB.resolve(name)));
      all.write('\n');
    }
    StringBuilder hex = new StringBuilder();
    for (byte b : MessageDigest.getInstance("SHA-256").digest(all.toByteArray())) {
      hex.append(String.format("%02x", b));
    }

    assertThat(template())
        .as("run `npm ci && npm run build` in web/ after a change there")
        .contains("Buftrail; sources " + hex);
  }

  @Test
  void theLockFileNamesNoRegistry() throws IOException {
    assertThat(WEB.resolve("package-lock.json"))
        .content()
        .contains("\"integrity\"")
        .doesNotContain("\"resolved\"");
  }

  @Test
  void thePolicyAllowsThisScriptAndStyleAndNothingElse()
      throws IOException, GeneralSecurityException {
    String page = template();
    Matcher policy =
        Pattern.compile("Content-Security-Policy\" content=\"([^\"]*)\"").matcher(page);
    assertThat(policy.find()).isTrue();

    assertThat(policy.group(1))
        .isEqualTo(
            "default-src 'none'; script-src '"
                + hash(page, "<script>", "</script>")
                + "'; style-src '"
                + hash(page, "<style>", "</style>")
                + "'; base-uri 'none'; form-action 'none'");
  }

  @Test
  void thePageAsksForNothing() throws IOException {
    String markup = template().replaceAll("(?s)<script>.*?</script>|<!--.*?-->", "");

    assertThat(markup)
        .doesNotContainPattern("(?i)\\b(src|href|action)=|url\\(|@import|http:|https:");
  }

  @Test
  void theModelCannotLeaveItsElement() throws IOException {
    String hostile = "\"</script><script>alert(1)</script><!--<script>\"";
    StringBuilder out = new StringBuilder();
    HtmlPage.write(json -> json.append(hostile).append('<').append(hostile, 1, 3), out);
    String page = out.toString();

    assertThat(page).doesNotContain("alert(1)</script>").doesNotContain("@@MODEL@@");
    assertThat(model(page).replace("\\u003c", "<")).isEqualTo(hostile + "<" + "</");
    assertThat(model(page)).doesNotContain("<");
  }

  @Test
  void escapedTextIsStillTheSameJson() throws IOException {
    StringBuilder out = new StringBuilder();
    HtmlPage.write(json -> json.append("[\"a<b\", \"</script>\"]"), out);

    JsonNode json = new ObjectMapper().readTree(model(out.toString()));
    assertThat(json.get(0).asText()).isEqualTo("a<b");
    assertThat(json.get(1).asText()).isEqualTo("</script>");
  }

  static String model(String page) {
    String start = "<script type=\"application/json\" id=\"model\">";
    int from = page.indexOf(start) + start.length();
    return page.substring(from, page.indexOf("</script>", from));
  }

  private static String hash(String page, String start, String end)
      throws GeneralSecurityException {
    int from = page.indexOf(start) + start.length();
    byte[] text = page.substring(from, page.indexOf(end, from)).getBytes(StandardCharsets.UTF_8);
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(text);
    return "sha256-" + Base64.getEncoder().encodeToString(digest);
  }

  private static String template() throws IOException {
    try (InputStream in = HtmlPage.class.getResourceAsStream("page.html")) {
      assertThat(in).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
