package org.buftrail.apps.boot;

import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What the shop serves. Names of parameters are found by reflection. */
@RestController
class OrderController {
  /** Something that Jackson writes. */
  record Item(int number, String name) {}

  @GetMapping("/hello/{name}")
  Mono<String> hello(@PathVariable String name, @RequestParam int times) {
    return Mono.just(("hello " + name + "\n").repeat(times));
  }

  @GetMapping("/late/{name}")
  Mono<String> late(@PathVariable String name, @RequestParam int times) {
    return hello(name, times);
  }

  @GetMapping("/later/{name}")
  Mono<String> later(@PathVariable String name, @RequestParam int times) {
    return hello(name, times);
  }

  @GetMapping("/catalogue")
  Flux<String> catalogue(@RequestParam int lines) {
    return Flux.fromStream(IntStream.range(0, lines).mapToObj(line -> "line " + line + "\n"));
  }

  @GetMapping("/items/{number}")
  Mono<Item> item(@PathVariable int number) {
    return Mono.just(new Item(number, "item " + number));
  }

  @PostMapping("/echo")
  Flux<DataBuffer> echo(@RequestBody Flux<DataBuffer> body) {
    return body;
  }

  /** Forgets the body of what is no order. */
  @PostMapping("/orders")
  Mono<ResponseEntity<String>> order(@RequestBody Flux<DataBuffer> body) {
    return DataBufferUtils.join(body).map(this::take);
  }

  private ResponseEntity<String> take(DataBuffer order) {
    String text = order.toString(StandardCharsets.UTF_8);
    int comma = text.indexOf(',');
    if (comma < 0) {
      return ResponseEntity.status(HttpStatus.valueOf(422)).body("not an order");
    }
    DataBufferUtils.release(order);
    return ResponseEntity.ok(comma + " letters, " + text.substring(comma + 1) + " times");
  }
}
